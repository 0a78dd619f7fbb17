#include "harness/gpu/kernel_clock.hpp"

#include <cuda_runtime_api.h>

#include "harness/gpu/cupti_library.hpp"
#include "harness/gpu/kernel_records.hpp"
#include "kernels/launch/gpu_check.hpp"

namespace gridmark::harness {
namespace {

// Concurrent: the other kind of kernel record makes kernels run one at a time.
constexpr CUpti_ActivityKind kernel_kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
constexpr CUpti_ActivityKind copy_kind = CUPTI_ACTIVITY_KIND_MEMCPY;

const Expected<CuptiLibrary>& library() {
    static const Expected<CuptiLibrary> cupti = CuptiLibrary::load();
    return cupti;
}

void wait_for_gpu() {
    launch::check_cuda(cudaDeviceSynchronize(), "waiting for the GPU");
}

// Tracing stops at the end of the recording, whatever the body throws.
class Tracing {
  public:
    explicit Tracing(const CuptiLibrary& cupti) : cupti_(cupti) {}
    Tracing(const Tracing&) = delete;
    Tracing& operator=(const Tracing&) = delete;
    ~Tracing() {
        for (const CUpti_ActivityKind kind : kinds_)
            (void)cupti_.disable(kind);
    }
    /// What CUPTI says against it; empty if it records this kind from now on.
    std::string refusal(CUpti_ActivityKind kind) {
        const CUptiResult result = cupti_.enable(kind);
        if (result != CUPTI_SUCCESS) return cupti_.message(result);
        kinds_.push_back(kind);
        return {};
    }

  private:
    const CuptiLibrary& cupti_;
    std::vector<CUpti_ActivityKind> kinds_;
};

}  // namespace

KernelClock& KernelClock::instance() {
    static KernelClock clock;
    return clock;
}

void KernelClock::load() {
    if (loaded_) return;
    loaded_ = true;
    if (const auto no_gpu = launch::gpu_unavailable_reason()) {
        reason_ = *no_gpu;
    } else if (!library()) {
        reason_ = library().reason;
    } else {
        reason_ = KernelRecords::attach(*library().value);
    }
}

bool KernelClock::available() {
    load();
    return reason_.empty();
}

std::string KernelClock::reason() {
    load();
    return reason_;
}

std::vector<KernelRecord> KernelClock::record(const std::function<void()>& body) {
    return trace(false, body).kernels;
}

Activities KernelClock::record_activities(const std::function<void()>& body) {
    return trace(true, body);
}

Activities KernelClock::trace(bool copies, const std::function<void()>& body) {
    if (!available()) throw launch::Unavailable(reason_);
    const CuptiLibrary& cupti = *library().value;
    wait_for_gpu();  // what ran before is not to be recorded
    KernelRecords::clear();
    {
        Tracing tracing(cupti);
        if (const std::string why = tracing.refusal(kernel_kind); !why.empty()) {
            // Refused once is refused always: permissions and rival profilers do not change while a program
            // runs.
            reason_ = "CUPTI does not record kernels: " + why;
            throw launch::Unavailable(reason_);
        }
        if (copies)
            if (const std::string why = tracing.refusal(copy_kind); !why.empty())
                throw launch::Unavailable("CUPTI does not record copies: " + why);
        body();
        wait_for_gpu();
        if (const auto result = cupti.flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED); result != CUPTI_SUCCESS) {
            throw KernelClockError("CUPTI does not hand out its records: " + cupti.message(result));
        }
    }
    return KernelRecords::take();
}

}  // namespace gridmark::harness
