#include "harness/run/timeline.hpp"

#include <stdexcept>

#include "harness/run/prepared.hpp"
#include "harness/run/rows.hpp"
#include "harness/run/spans.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

std::vector<json> rows_without_number(const std::string& experiment, const Timeline& timeline,
                                      const MissingReason& none) {
    std::vector<json> rows;
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

std::vector<json> timeline_rows(const std::string& experiment, const Timeline& timeline,
                                const Activities& recorded) {
    if (recorded.kernels.empty() && recorded.copies.empty())
        throw std::runtime_error("CUPTI recorded nothing of the pass");
    const Timetable timetable = timetable_of(recorded);
    auto rows = rows_without_number(experiment, timeline, {"ok", ""});
    const Busy* const busy[] = {&timetable.upload, &timetable.kernels, &timetable.download};
    for (std::size_t k = 0; k < rows.size(); ++k) {
        set_samples(rows[k], {busy[k]->total});
        rows[k]["spans"] = busy[k]->spans;
    }
    return rows;
}

std::vector<json> measure_timeline(const std::string& experiment, const Timeline& timeline, bool& gpu_lost) {
    KernelClock& clock = KernelClock::instance();
    if (!clock.available()) return rows_without_number(experiment, timeline, {"skipped", clock.reason()});
    Prepared prepared = make(timeline.prepare, gpu_lost);
    check(prepared, gpu_lost);
    std::vector<json> rows;
    std::optional<MissingReason> none = prepared.none;
    if (!none)
        none = attempt(
            [&] {
                rows = timeline_rows(experiment, timeline, record_pass(*prepared.work, timeline.iterations));
            },
            gpu_lost);
    if (none) rows = rows_without_number(experiment, timeline, *none);
    for (json& row : rows) {
        row["verification"] = prepared.verification;
        row["kernel"] = prepared.kernel;
    }
    return rows;
}

}  // namespace gridmark::harness
