#include "harness/run/timeline.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "harness/run/prepared.hpp"
#include "harness/run/rows.hpp"

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

std::vector<Row> rows_without_number(const std::string& experiment, const Timeline& timeline,
                                     const MissingReason& none) {
    std::vector<Row> rows;
    for (const char* activity : timeline_activities)
        rows.push_back(timeline_row(experiment, timeline, activity, none.status, none.reason));
    return rows;
}

Activities record_pass(Work& work, int iterations) {
    work.select();
    work.iterate(iterations);  // to warm up
    return KernelClock::instance().record_activities([&] { work.iterate(iterations); });
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

std::vector<Row> timeline_rows(const std::string& experiment, const Timeline& timeline,
                               const Activities& recorded) {
    if (recorded.kernels.empty() && recorded.copies.empty())
        throw std::runtime_error("CUPTI recorded nothing of the pass");
    const Timetable timetable = timetable_of(recorded);
    auto rows = rows_without_number(experiment, timeline, {Status::ok, ""});
    const Busy* const busy[] = {&timetable.upload, &timetable.kernels, &timetable.download};
    for (std::size_t k = 0; k < rows.size(); ++k) {
        set_samples(rows[k], {busy[k]->total});
        rows[k].spans = busy[k]->spans;
    }
    return rows;
}

std::vector<Row> measure_timeline(const std::string& experiment, const Timeline& timeline, bool& gpu_lost) {
    KernelClock& clock = KernelClock::instance();
    if (!clock.available())
        return rows_without_number(experiment, timeline, {Status::skipped, clock.reason()});
    Prepared prepared = make(timeline.prepare, gpu_lost);
    check(prepared, gpu_lost);
    std::vector<Row> rows;
    std::optional<MissingReason> none = prepared.none;
    if (!none)
        none = attempt(
            [&] {
                rows = timeline_rows(experiment, timeline, record_pass(*prepared.work, timeline.iterations));
            },
            gpu_lost);
    if (none) rows = rows_without_number(experiment, timeline, *none);
    for (Row& row : rows) {
        row.verification = prepared.verification;
        row.kernel = prepared.kernel;
    }
    return rows;
}

}  // namespace gridmark::harness
