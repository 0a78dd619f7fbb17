#include "harness/ceilings/link_transfer.hpp"

#if GRIDMARK_HAS_CUDA

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "kernels/launch/error.hpp"
#include "kernels/launch/gpu_check.hpp"

namespace gridmark::harness {
namespace {

using launch::check_cuda;

}  // namespace

class HostMemory {
  public:
    HostMemory(std::size_t bytes, bool pinned) : pinned_(pinned) {
        if (pinned) {
            check_cuda(cudaMallocHost(&data_, bytes), "allocating pinned memory");
        } else {
            data_ = std::malloc(bytes);
            if (data_ == nullptr) throw launch::OutOfMemory("no ordinary memory for a transfer");
        }
        std::memset(data_, 1, bytes);  // a page that nobody wrote is no memory yet
    }
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;
    ~HostMemory() {
        if (pinned_)
            (void)cudaFreeHost(data_);
        else
            std::free(data_);
    }
    void* data() { return data_; }

  private:
    void* data_ = nullptr;
    bool pinned_;
};

// One direction: its two buffers and its stream.
class Lane {
  public:
    Lane(launch::Device& gpu, bool pinned, std::size_t bytes)
        : host_(bytes, pinned), device_(gpu, bytes), bytes_(bytes) {
        gpu.fill_bytes(device_.data(), 2, bytes);
        gpu.synchronize();  // also makes its GPU the calling thread's current one
        check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;
    ~Lane() { (void)cudaStreamDestroy(stream_); }

    void start_up() { start(device_.data(), host_.data(), cudaMemcpyHostToDevice); }
    void start_down() { start(host_.data(), device_.data(), cudaMemcpyDeviceToHost); }
    void wait() { check_cuda(cudaStreamSynchronize(stream_), "waiting for a transfer"); }

  private:
    void start(void* to, const void* from, cudaMemcpyKind kind) {
        check_cuda(cudaMemcpyAsync(to, from, bytes_, kind, stream_), "starting a transfer");
    }

    HostMemory host_;
    launch::Buffer<unsigned char> device_;
    std::size_t bytes_;
    cudaStream_t stream_ = nullptr;
};

struct LinkTransfer::State {
    std::unique_ptr<Lane> up, down;
};

LinkTransfer::LinkTransfer(launch::Device& gpu, LinkRoute route, std::size_t bytes)
    : state_(std::make_unique<State>()) {
    gpu.synchronize();
    if (route.up) state_->up = std::make_unique<Lane>(gpu, route.pinned, bytes);
    if (route.down) state_->down = std::make_unique<Lane>(gpu, route.pinned, bytes);
}

LinkTransfer::~LinkTransfer() = default;

double LinkTransfer::seconds() {
    // The host's clock rather than events: its microseconds are little beside milliseconds, and it sees both
    // streams.
    const auto start = std::chrono::steady_clock::now();
    if (state_->up) state_->up->start_up();
    if (state_->down) state_->down->start_down();
    if (state_->up) state_->up->wait();
    if (state_->down) state_->down->wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace gridmark::harness

#else

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

#endif
