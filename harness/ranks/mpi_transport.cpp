#include "harness/ranks/mpi_transport.hpp"

#include <algorithm>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>  // Open MPI's MPIX_Query_cuda_support
#endif

namespace gridmark::harness {
namespace {

constexpr int tag = 1;
/// MPI counts with an int.
constexpr std::size_t longest_message = std::size_t{1} << 30;

/// Calls `post(first, count)` for parts of so many bytes, none longer than a message may be.
template <class Post>
void in_parts(std::size_t bytes, const Post& post) {
    for (std::size_t first = 0; first < bytes; first += longest_message)
        post(first, static_cast<int>(std::min(longest_message, bytes - first)));
}

}  // namespace

MpiTransport::MpiTransport() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}

void MpiTransport::receive(int from, std::span<std::byte> into) {
    in_parts(into.size(), [&](std::size_t first, int count) {
        MPI_Irecv(into.data() + first, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &requests_.emplace_back());
    });
}

void MpiTransport::send(int to, std::span<const std::byte> message) {
    in_parts(message.size(), [&](std::size_t first, int count) {
        MPI_Isend(message.data() + first, count, MPI_BYTE, to, tag, MPI_COMM_WORLD,
                  &requests_.emplace_back());
    });
}

void MpiTransport::progress() {
    int all = 0;
    if (!requests_.empty())
        MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE);
}

void MpiTransport::finish() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
}

double MpiTransport::most(double value) {
    double all = value;
    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

bool MpiTransport::takes_device_memory() const {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

}  // namespace gridmark::harness
