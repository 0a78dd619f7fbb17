#include "harness/run/spans.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace gridmark::harness {
namespace {

/// Between two launches of one loop lies no more than this; a wait for a copy or for the host is longer.
constexpr std::int64_t launch_gap_ns = 20'000;

enum class Kind { upload, kernels, download };

/// A record, or several as one; nanoseconds.
struct Span {
    Kind kind;
    std::uint32_t stream;
    std::int64_t begin, end;
};

std::vector<Span> by_begin(const Activities& activities) {
    std::vector<Span> spans;
    for (const KernelRecord& kernel : activities.kernels)
        spans.push_back({Kind::kernels, kernel.stream, kernel.start_ns, kernel.end_ns});
    for (const CopyRecord& copy : activities.copies)
        spans.push_back({copy.way == CopyRecord::Way::up ? Kind::upload : Kind::download, copy.stream,
                         copy.start_ns, copy.end_ns});
    std::stable_sort(spans.begin(), spans.end(),
                     [](const Span& a, const Span& b) { return a.begin < b.begin; });
    return spans;
}

/// The same with kernels of one loop as one span.
std::vector<Span> merged(const std::vector<Span>& records) {
    std::vector<Span> spans;
    std::map<std::uint32_t, std::size_t> last;  // span of each stream
    for (const Span& record : records) {
        const auto found = last.find(record.stream);
        if (found != last.end() && record.kind == Kind::kernels) {
            Span& before = spans[found->second];
            if (before.kind == Kind::kernels && record.begin - before.end < launch_gap_ns) {
                before.end = std::max(before.end, record.end);
                continue;
            }
        }
        last[record.stream] = spans.size();
        spans.push_back(record);
    }
    return spans;
}

/// Nanoseconds that records of a kind, in order of begin, cover together.
std::int64_t covered(const std::vector<Span>& records, Kind kind) {
    std::int64_t total = 0, reached = 0;
    for (const Span& record : records) {
        if (record.kind != kind) continue;
        total += std::max<std::int64_t>(0, record.end - std::max(reached, record.begin));
        reached = std::max(reached, record.end);
    }
    return total;
}

double microseconds(std::int64_t nanoseconds) {
    return static_cast<double>(nanoseconds) / 1000;
}

}  // namespace

Timetable timetable_of(const Activities& activities) {
    const auto records = by_begin(activities);
    const auto spans = merged(records);
    const auto busy = [&](Kind kind) {
        Busy result;
        for (const Span& span : spans)
            if (span.kind == kind)
                result.spans.push_back({microseconds(span.begin - records.front().begin),
                                        microseconds(span.end - records.front().begin)});
        result.total = microseconds(covered(records, kind));
        return result;
    };
    return {busy(Kind::upload), busy(Kind::kernels), busy(Kind::download)};
}

}  // namespace gridmark::harness
