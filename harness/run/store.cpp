#include "harness/run/store.hpp"

#include <algorithm>

#include "harness/os/files.hpp"
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
        if (std::filesystem::exists(old)) continue;
        std::filesystem::rename(path, old);
        return;
    }
}

}  // namespace

Store::Store(std::filesystem::path path, json context, const Standards& standards, bool fresh)
    : path_(std::move(path)), context_(std::move(context)), standards_(standards) {
    if (!std::filesystem::exists(path_)) return;
    if (fresh) {
        set_aside(path_);
        return;
    }
    json old;
    try {
        old = read_result_file(path_);
    } catch (const UsageError& error) {
        throw UsageError(std::string(error.what()) + "; --fresh sets it aside");
    }
    if (old["context"].value("resume_key", "") != context_["resume_key"].get<std::string>()) {
        set_aside(path_);
        return;
    }
    context_ = old["context"];
    for (const json& row : old["benchmarks"]) {
        if (row["status"] == "failed") continue;  // tried again
        rows_[row["name"]] = row;
        order_.push_back(row["name"]);
    }
}

std::map<std::string, int> Store::finished() const {
    std::map<std::string, int> result;
    for (const auto& [name, row] : rows_)
        result[name] =
            is_measured(row) && row["quantity"] == "time" ? static_cast<int>(launches_of(row).size()) : -1;
    return result;
}

bool Store::done(const std::string& name) const {
    const json* row = find(name);
    if (row == nullptr) return false;
    if (!is_measured(*row) || (*row)["quantity"] != "time") return true;
    return launches_of(*row).size() >= static_cast<std::size_t>(standards_.process_launches);
}

const json* Store::find(const std::string& name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : &found->second;
}

const json& Store::add(const json& row) {
    const auto name = row["name"].get<std::string>();
    const auto found = rows_.find(name);
    json joined = found == rows_.end() ? row : join_launches(found->second, row);
    finish_row(joined, standards_);
    return rows_[name] = std::move(joined);
}

void Store::set_clocks(const json& clocks, const json& reasons) {
    const double before = cpu_stolen();
    context_["clocks"] = clocks;
    context_["reasons"].update(reasons);
    if (before > cpu_stolen()) context_["clocks"]["cpu_stolen"] = before;
}

double Store::cpu_stolen() const {
    const json share = context_.value(json::json_pointer("/clocks/cpu_stolen"), json());
    return share.is_number() ? share.get<double>() : 0;
}

void Store::save(bool complete) {
    json rows = json::array();
    for (const std::string& name : order_)
        if (const json* row = find(name)) rows.push_back(*row);
    std::size_t launches = 0;
    for (const json& row : rows)
        if (is_measured(row)) launches = std::max(launches, launches_of(row).size());
    context_["complete"] = complete;
    context_["process_launches"] = launches;
    document_ = {{"schema_version", schema_version}, {"context", context_}, {"benchmarks", std::move(rows)}};
    write_result_file(path_, document_);
}

bool Store::complete() const {
    return planned_ && !order_.empty() &&
           std::all_of(order_.begin(), order_.end(), [&](const auto& name) { return done(name); });
}

std::size_t Store::count(const std::string& status) const {
    return static_cast<std::size_t>(std::count_if(
        rows_.begin(), rows_.end(), [&](const auto& entry) { return entry.second["status"] == status; }));
}

}  // namespace gridmark::harness
