// Stands in for pcie_transfer.cpp where there is no CUDA toolkit.

#include "harness/ceilings/pcie_transfer.hpp"

namespace gridmark::harness {

struct PcieTransfer::State {};

PcieTransfer::PcieTransfer(launch::Device&, PcieRoute, std::size_t) {
    throw launch::Unavailable("built without the CUDA toolkit");
}
PcieTransfer::~PcieTransfer() = default;
double PcieTransfer::seconds() {
    return 0;
}  // never reached: there is no object

}  // namespace gridmark::harness
