#pragma once

#include <mpi.h>

#include <vector>

#include "kernels/ranks/transport.hpp"

namespace gridmark::harness {

/// Messages by MPI, between all ranks of the program.
class MpiTransport final : public ranks::Transport {
  public:
    MpiTransport();
    int rank() const override { return rank_; }
    int ranks() const override { return ranks_; }
    void receive(int from, std::span<std::byte> into) override;
    void send(int to, std::span<const std::byte> message) override;
    void progress() override;
    void finish() override;
    double most(double value) override;
    /// As the library says of itself. No machine that has such a library has run it yet: untested.
    bool takes_device_memory() const override;

  private:
    int rank_ = 0, ranks_ = 1;
    std::vector<MPI_Request> requests_;
};

}  // namespace gridmark::harness
