#include "harness/run/store.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/compare/clocks.hpp"
#include "harness/results/result_file.hpp"
#include "harness/results/row.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

void set_aside(const std::filesystem::path& path) {
    for (int n = 1;; ++n) {
        std::filesystem::path old = path;
        old.replace_extension(".old-" + std::to_string(n) + ".json");
        if (std::filesystem::exists(std::filesystem::symlink_status(old))) continue;
        std::filesystem::rename(path, old);
        return;
    }
}

/// Whether others were on the GPU while its ceilings were measured.
bool is_shared(const json& context) {
    const json others = context.value(json::json_pointer("/company/gpu"), json());
    return others.is_array() && !others.empty();
}

/// A run that a scheduler resumes keeps its context, but for the job, the last one that added to it, and a
/// wrong binding, whichever of its jobs had that.
void tell_where_it_goes_on(json& context, const json& here) {
    if (!here.contains("scheduler")) return;
    context["scheduler"] = here["scheduler"];
    json& reasons = context["reasons"];
    std::vector<std::string> outdated;
    for (const auto& [path, reason] : reasons.items())
        if (path.starts_with("scheduler.")) outdated.push_back(path);
    for (const std::string& path : outdated)
        reasons.erase(path);
    for (const auto& [path, reason] : here["reasons"].items())
        if (path.starts_with("scheduler.")) reasons[path] = reason;
    const json topology = here.value("topology", json());
    if (topology.is_object() && topology.contains("binding")) context["topology"] = topology;
}

/// Moves to the context why a row's events could not be counted. What differs from there stays in the row.
void say_once(json& context, Row& row) {
    if (!row.counters) return;
    std::erase_if(row.counters->reasons, [&](const auto& reason) {
        return *context["uncounted"].emplace(reason.first, reason.second).first == reason.second;
    });
}

}  // namespace

ResultFile read_earlier(const std::filesystem::path& path) {
    try {
        return read_result_file(path);
    } catch (const UsageError& error) {
        throw UsageError(std::string(error.what()) + "; --fresh sets it aside");
    }
}

Store::Store(std::filesystem::path path, json context, const Standards& standards, bool fresh)
    : path_(std::move(path)), context_(std::move(context)), standards_(standards) {
    if (!std::filesystem::exists(std::filesystem::symlink_status(path_))) return;
    if (fresh) {
        set_aside(path_);
        return;
    }
    const ResultFile old = read_earlier(path_);
    // Ceilings of a shared GPU are no base for what is measured on it alone.
    const bool was_shared = is_shared(old.context) && !is_shared(context_);
    if (was_shared || old.context.value("resume_key", "") != context_["resume_key"].get<std::string>()) {
        set_aside(path_);
        return;
    }
    const json here = std::exchange(context_, old.context);
    tell_where_it_goes_on(context_, here);
    for (const Row& row : old.rows) {
        // What failed is tried again, and what others disturbed is measured anew; never what disagrees with
        // itself, for whoever measures until numbers please has chosen them.
        if (row.status == Status::failed || (row.measured() && row.disturbed && !row.disturbed->allowed))
            continue;
        rows_.emplace(row.name, row);
        order_.push_back(row.name);
    }
}

std::map<std::string, int> Store::finished() const {
    std::map<std::string, int> result;
    for (const auto& [name, row] : rows_)
        result[name] =
            row.measured() && row.is_time() ? static_cast<int>(row.samples_by_process().size()) : -1;
    return result;
}

bool Store::done(const std::string& name) const {
    const Row* row = find(name);
    if (row == nullptr) return false;
    if (!row->measured() || !row->is_time()) return true;
    return row->samples_by_process().size() >= static_cast<std::size_t>(standards_.processes);
}

const Row* Store::find(const std::string& name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : &found->second;
}

const Row& Store::add(const Row& row) {
    const auto found = rows_.find(row.name);
    Row joined = found == rows_.end() ? row : join_processes(found->second, row);
    finish_row(joined, standards_);
    return rows_.insert_or_assign(row.name, std::move(joined)).first->second;
}

void Store::set_clocks(const json& clocks, const json& reasons) {
    const double before = cpu_stolen();
    const json groups = context_.value(json::json_pointer("/clocks/groups"), json());
    context_["clocks"] = clocks;
    if (!groups.is_null()) context_["clocks"]["groups"] = groups;
    context_["reasons"].update(reasons);
    if (before > cpu_stolen()) context_["clocks"]["cpu_stolen"] = before;
}

void Store::add_group_clocks(const std::string& group, const json& clocks) {
    json& known = context_["clocks"]["groups"][group];
    known = known.is_null() ? clocks : joined_clocks(known, clocks);
}

double Store::cpu_stolen() const {
    const json share = context_.value(json::json_pointer("/clocks/cpu_stolen"), json());
    return share.is_number() ? share.get<double>() : 0;
}

void Store::save(bool complete) {
    file_.rows.clear();
    for (const std::string& name : order_)
        if (const Row* row = find(name)) file_.rows.push_back(*row);
    std::size_t processes = 0;
    for (Row& row : file_.rows) {
        say_once(context_, row);
        if (row.measured()) processes = std::max(processes, row.samples_by_process().size());
    }
    context_["complete"] = complete;
    context_["processes"] = processes;
    file_.context = context_;
    write_result_file(path_, file_);
}

bool Store::complete() const {
    return planned_ && !order_.empty() &&
           std::all_of(order_.begin(), order_.end(), [&](const auto& name) { return done(name); });
}

std::size_t Store::count(Status status) const {
    return static_cast<std::size_t>(std::count_if(
        rows_.begin(), rows_.end(), [&](const auto& entry) { return entry.second.status == status; }));
}

}  // namespace gridmark::harness
