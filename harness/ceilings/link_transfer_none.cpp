// Stands in for link_transfer.cpp where there is no CUDA toolkit.

#include "harness/ceilings/link_transfer.hpp"

namespace gridmark::harness {

struct LinkTransfer::State {};

LinkTransfer::LinkTransfer(launch::Device&, LinkRoute, std::size_t) {
    throw launch::Unavailable("built without the CUDA toolkit");
}
LinkTransfer::~LinkTransfer() = default;
double LinkTransfer::seconds() {
    return 0;
}  // never reached: there is no object

}  // namespace gridmark::harness
