#include "harness/gpu/step_clock.hpp"

#include <cuda_runtime_api.h>

#include "kernels/launch/error.hpp"
#include "kernels/launch/gpu_check.hpp"

namespace gridmark::harness {
namespace {

using launch::check_cuda;

cudaStream_t gpu_stream(launch::Stream stream) {
    if (stream.device == nullptr || stream.device->executor() != launch::Executor::gpu) {
        throw launch::Unavailable("the host executor is no GPU and yields no timing");
    }
    return static_cast<cudaStream_t>(stream.handle);
}

class Event {
  public:
    Event() { check_cuda(cudaEventCreate(&event_), "creating an event"); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { (void)cudaEventDestroy(event_); }

    void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "recording an event"); }
    void wait() { check_cuda(cudaEventSynchronize(event_), "waiting for the GPU"); }
    double seconds_since(const Event& earlier) const {
        float milliseconds = 0;
        check_cuda(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "reading an event's time");
        return static_cast<double>(milliseconds) * 1e-3;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

// Captures into a graph; a capture that `body` broke is ended, so that the stream stays usable.
cudaGraph_t capture(cudaStream_t stream, const std::function<void()>& body) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
               "beginning to capture a graph");
    cudaGraph_t graph = nullptr;
    try {
        body();
    } catch (...) {
        (void)cudaStreamEndCapture(stream, &graph);
        if (graph != nullptr) (void)cudaGraphDestroy(graph);
        (void)cudaGetLastError();
        throw;
    }
    check_cuda(cudaStreamEndCapture(stream, &graph), "capturing a graph");
    return graph;
}

}  // namespace

double seconds_between_events(launch::Stream stream, const std::function<void()>& body) {
    const auto handle = gpu_stream(stream);
    stream.device->synchronize();  // an idle stream at the start, and the right GPU for the events
    Event start;
    Event end;
    start.record(handle);
    body();
    end.record(handle);
    end.wait();
    return end.seconds_since(start);
}

struct GraphReplay::State {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (executable != nullptr) (void)cudaGraphExecDestroy(executable);
        if (graph != nullptr) (void)cudaGraphDestroy(graph);
    }
};

GraphReplay::GraphReplay(launch::Stream stream, const std::function<void()>& body)
    : state_(std::make_unique<State>()) {
    state_->stream = gpu_stream(stream);
    stream.device->synchronize();
    state_->graph = capture(state_->stream, body);
    check_cuda(cudaGraphInstantiate(&state_->executable, state_->graph, 0), "instantiating a graph");
    // Else the first replay pays for it.
    check_cuda(cudaGraphUpload(state_->executable, state_->stream), "uploading a graph");
}

GraphReplay::GraphReplay(GraphReplay&&) noexcept = default;
GraphReplay& GraphReplay::operator=(GraphReplay&&) noexcept = default;
GraphReplay::~GraphReplay() = default;

void GraphReplay::replay(int times) {
    for (int i = 0; i < times; ++i) {
        check_cuda(cudaGraphLaunch(state_->executable, state_->stream), "launching a graph");
    }
}

}  // namespace gridmark::harness
