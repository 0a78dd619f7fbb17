#include "harness/gpu/kernel_clock.hpp"

#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "harness/gpu/cupti_library.hpp"
#include "kernels/launch/gpu_check.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {
namespace {

// The records of the CUPTI that this file is compiled against; their older twins live on under their old
// names.
#if CUPTI_API_VERSION >= 130000
using CuptiKernel = CUpti_ActivityKernel10;
#else
using CuptiKernel = CUpti_ActivityKernel9;
#endif
#if CUPTI_API_VERSION >= 26  // CUDA 12.8
using CuptiCopy = CUpti_ActivityMemcpy6;
#else
using CuptiCopy = CUpti_ActivityMemcpy5;
#endif

// About 36000 records; CUPTI asks for another buffer when one is full.
constexpr std::size_t buffer_bytes = std::size_t{8} << 20;
constexpr std::size_t buffer_alignment = 8;

struct Collection {
    std::mutex mutex;
    CuptiLibrary cupti;
    Activities activities;
    std::size_t dropped = 0;
    std::string error;
};

Collection& collection() {
    static Collection instance;
    return instance;
}

std::string demangle(const char* name) {
    if (name == nullptr) return "?";
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
    return status == 0 && plain ? plain.get() : name;
}

KernelRecord convert(const CuptiKernel& kernel) {
    KernelRecord record;
    record.name = demangle(kernel.name);
    record.start_ns = static_cast<std::int64_t>(kernel.start);
    record.end_ns = static_cast<std::int64_t>(kernel.end);
    record.stream = kernel.streamId;
    record.graph_node = static_cast<std::int64_t>(kernel.graphNodeId);
    record.registers = kernel.registersPerThread;
    record.static_shared = kernel.staticSharedMemory;
    record.dynamic_shared = kernel.dynamicSharedMemory;
    record.local_per_thread = kernel.localMemoryPerThread;
    record.grid = {kernel.gridX, kernel.gridY, kernel.gridZ};
    record.block = {kernel.blockX, kernel.blockY, kernel.blockZ};
    return record;
}

// The way of a copy between host and GPU, into or out of an array of a texture too; empty for all others.
std::optional<CopyRecord::Way> way_of(const CuptiCopy& copy) {
    switch (copy.copyKind) {
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
        case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
            return CopyRecord::Way::up;
        case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
        case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
            return CopyRecord::Way::down;
        default:
            return std::nullopt;
    }
}

CopyRecord convert(const CuptiCopy& copy, CopyRecord::Way way) {
    return {way, static_cast<std::int64_t>(copy.start), static_cast<std::int64_t>(copy.end), copy.streamId,
            static_cast<std::int64_t>(copy.bytes)};
}

// Start or end are 0 where CUPTI could not tell them.
template <class Record>
bool has_times(const Record& record) {
    return record.start_ns > 0 && record.end_ns >= record.start_ns;
}

// A block of nonsense means another layout of the record.
bool plausible(const KernelRecord& record) {
    const auto [x, y, z] = record.block;
    return has_times(record) && x > 0 && y > 0 && z > 0 && x <= 1024 && y <= 1024 && z <= 1024 &&
           record.grid[0] > 0;
}

void collect_kernel(Collection& to, const CuptiKernel& kernel) {
    auto record = convert(kernel);
    if (!plausible(record)) to.error = "CUPTI gave a record without times for " + record.name;
    to.activities.kernels.push_back(std::move(record));
}

void collect_copy(Collection& to, const CuptiCopy& copy) {
    const auto way = way_of(copy);
    if (!way) return;
    to.activities.copies.push_back(convert(copy, *way));
    if (!has_times(to.activities.copies.back())) to.error = "CUPTI gave a record without times for a copy";
}

void collect(Collection& to, std::uint8_t* buffer, std::size_t valid_bytes) {
    CUpti_Activity* activity = nullptr;
    CUptiResult result = CUPTI_SUCCESS;
    while ((result = to.cupti.next_record(buffer, valid_bytes, &activity)) == CUPTI_SUCCESS) {
        if (activity->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
            activity->kind == CUPTI_ACTIVITY_KIND_KERNEL)
            collect_kernel(to, *reinterpret_cast<const CuptiKernel*>(activity));
        else if (activity->kind == CUPTI_ACTIVITY_KIND_MEMCPY)
            collect_copy(to, *reinterpret_cast<const CuptiCopy*>(activity));
    }
    if (result != CUPTI_ERROR_MAX_LIMIT_REACHED)
        to.error = "reading CUPTI's records: " + to.cupti.message(result);
}

void CUPTIAPI request_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
    *size = *buffer != nullptr ? buffer_bytes : 0;  // without a buffer CUPTI counts the records as dropped
    *most_records = 0;                              // as many as fit
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t /*size*/,
                          std::size_t valid_bytes) {
    Collection& to = collection();
    const std::lock_guard lock(to.mutex);
    try {
        if (valid_bytes > 0) collect(to, buffer, valid_bytes);
        std::size_t dropped = 0;
        if (to.cupti.dropped_records(context, stream, &dropped) == CUPTI_SUCCESS) to.dropped += dropped;
    } catch (const std::exception& error) {  // must not pass through CUPTI's C code
        ++to.dropped;
    }
    std::free(buffer);
}

}  // namespace

std::string KernelRecords::attach(const CuptiLibrary& cupti) {
    collection().cupti = cupti;
    const auto result = cupti.register_callbacks(request_buffer, take_buffer);
    return result == CUPTI_SUCCESS ? std::string() : "CUPTI: " + cupti.message(result);
}

void KernelRecords::clear() {
    Collection& all = collection();
    const std::lock_guard lock(all.mutex);
    all.activities = {};
    all.dropped = 0;
    all.error.clear();
}

Activities KernelRecords::take() {
    Collection& all = collection();
    const std::lock_guard lock(all.mutex);
    if (all.dropped > 0) throw KernelClockError("CUPTI lost " + std::to_string(all.dropped) + " records");
    if (!all.error.empty()) throw KernelClockError(all.error);
    Activities activities = std::exchange(all.activities, {});
    const auto by_start = [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; };
    std::stable_sort(activities.kernels.begin(), activities.kernels.end(), by_start);
    std::stable_sort(activities.copies.begin(), activities.copies.end(), by_start);
    return activities;
}

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
