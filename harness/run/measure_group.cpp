#include "harness/run/measure_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/papi/papi_counters.hpp"
#include "harness/run/limit.hpp"
#include "harness/run/rows.hpp"
#include "harness/run/samplers.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// A member on its way to a row.
struct Entry {
    const Point* point;
    Series series;
    json row;
    Work* work = nullptr;
};

bool ready(const Entry& entry) {
    return entry.row["status"] == "ok";
}

void fail(Entry& entry, const std::string& reason) {
    entry.row = row_without_time(entry.row["experiment"], *entry.point, entry.series, "failed", reason);
}

json to_json(const launch::KernelInfo& info) {
    return {{"registers", info.registers},
            {"static_shared", info.static_shared},
            {"blocks_per_multiprocessor", info.blocks_per_multiprocessor}};
}

/// Puts the variant's data in place and checks its answer. Returns null, with the row failed, when it must
/// not be timed.
std::unique_ptr<Work> prepare(Entry& entry) {
    std::unique_ptr<Work> work = entry.point->prepare();
    const Verification v = work->verify();
    if (std::isfinite(v.error))  // else only the reason says it: no file can hold a NaN
        entry.row["verification"] = {
            {"against", v.against}, {"error", v.error}, {"tolerance", v.tolerance}, {"steps", v.steps}};
    if (!v.passed()) {
        const json verification = entry.row["verification"];
        fail(entry, fmt::format("wrong answer: error {:.3g} after {} steps, tolerance {:.3g}", v.error,
                                v.steps, v.tolerance));
        entry.row["verification"] = verification;
        return nullptr;
    }
    if (const auto info = work->kernel_info()) entry.row["kernel"] = to_json(*info);
    return work;
}

/// One Work per point, shared by its series.
std::map<std::string, std::unique_ptr<Work>> prepare_all(std::vector<Entry>& entries, bool& gpu_lost) {
    std::map<std::string, std::unique_ptr<Work>> works;
    std::map<std::string, json> verifications;
    for (Entry& entry : entries) {
        const std::string& name = entry.point->name;
        try {
            if (gpu_lost) throw launch::Error("the GPU was lost to an earlier error in this group");
            if (!works.contains(name)) {
                works[name] = prepare(entry);
                verifications[name] = entry.row;
            } else if (works[name]) {
                entry.row["verification"] = verifications[name]["verification"];
                entry.row["kernel"] = verifications[name]["kernel"];
            } else {
                fail(entry, verifications[name]["reason"]);
            }
            entry.work = works[name].get();
        } catch (const launch::OutOfMemory& error) {
            fail(entry, error.what());
        } catch (const launch::Unavailable& error) {
            entry.row = row_without_time(entry.row["experiment"], *entry.point, entry.series, "skipped",
                                         error.what());
        } catch (const launch::Error& error) {
            fail(entry, error.what());
            gpu_lost = true;
        } catch (const std::exception& error) {
            fail(entry, error.what());
        }
    }
    return works;
}

void time_entries(std::vector<Entry*>& entries, const Session& session, const MeasureContext& context) {
    std::vector<Timed> timed;
    for (const Entry* entry : entries)
        timed.push_back({entry->work, entry->series, entry->point->iterations});
    const auto sampler = make_sampler(session.clock, timed, context.gpu, context.protocol);
    const Sampled sampled = sample(*sampler, context.protocol);
    for (std::size_t k = 0; k < entries.size(); ++k) {
        json& row = entries[k]->row;
        std::vector<double> microseconds(sampled.samples[k]);
        for (double& s : microseconds)
            s *= 1e6;
        set_samples(row, microseconds);
        row["iterations"] = timed[k].iterations;
        row["stopped"] = sampled.stopped;
        row["pair"] = session.pair;
        row["limit"] = tightest_limit(*entries[k]->point, entries[k]->series, context.ceilings,
                                      context.l2_bytes, context.cpu_cache_bytes);
        if (session.clock == Series::Clock::wall && context.count_events) {
            row["counters"] = count_events([&] { timed[k].work->iterate(timed[k].iterations); });
            row["counters"]["iterations"] = timed[k].iterations;
        } else if (session.clock != Series::Clock::wall) {
            row["counters"] = {{"reasons",
                                {{"all",
                                  "counters of GPU kernels are read by the profiler, in rows of "
                                  "their own"}}}};
        }
    }
}

}  // namespace

std::vector<json> measure_session(const Session& session, const MeasureContext& context, bool& gpu_lost) {
    std::vector<Entry> entries;
    for (const auto& [point, series] : session.members) {
        json row = row_without_time(context.experiment, *point, series, "ok", "");
        entries.push_back({point, series, std::move(row)});
    }
    const auto works = prepare_all(entries, gpu_lost);
    std::vector<Entry*> timed;
    for (Entry& entry : entries)
        if (ready(entry) && entry.work != nullptr) timed.push_back(&entry);
    const auto fail_all = [&](const std::string& status, const std::string& reason) {
        for (Entry* entry : timed)
            entry->row = row_without_time(context.experiment, *entry->point, entry->series, status, reason);
    };
    try {
        if (!timed.empty() && !gpu_lost) time_entries(timed, session, context);
        if (gpu_lost) fail_all("failed", "the GPU was lost to an error of another variant in this group");
    } catch (const launch::Unavailable& error) {
        fail_all("skipped", error.what());
    } catch (const launch::Error& error) {
        fail_all("failed", error.what());
        gpu_lost = true;
    } catch (const std::exception& error) {
        fail_all("failed", error.what());
    }
    std::vector<json> rows;
    for (Entry& entry : entries)
        rows.push_back(std::move(entry.row));
    return rows;
}

}  // namespace gridmark::harness
