#include "harness/results/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace gridmark::harness {
namespace {

using nlohmann::json;

Status status_from(const std::string& word) {
    for (const Status status :
         {Status::ok, Status::estimate, Status::skipped, Status::failed, Status::forecast})
        if (word == to_string(status)) return status;
    throw std::invalid_argument("no such status: " + word);
}

// Of an object that may lack the key, or hold null there.

std::string text_of(const json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? "" : found->get<std::string>();
}

template <class T>
std::optional<T> value_of(const json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? std::nullopt : std::optional(found->get<T>());
}

/// The object under the key, read by `read`.
template <class Read>
auto object_of(const json& object, const char* key, Read read) -> std::optional<decltype(read(object))> {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return std::nullopt;
    return read(*found);
}

Interval interval_from(const json& ends) {
    return {ends.at(0).get<double>(), ends.at(1).get<double>()};
}

Verification verification_from(const json& v) {
    return {v.at("against"), v.at("error"), v.at("tolerance"), v.value("steps", 0),
            value_of<double>(v, "scale")};
}

Limit limit_from(const json& limit) {
    return {limit.at("ceiling"), limit.at("value"), limit.at("unit"), limit.at("share")};
}

Binding binding_from(const json& binding) {
    return {binding.at("ceiling"), binding.at("term"), binding.at("time"), binding.at("unit")};
}

launch::KernelInfo kernel_from(const json& kernel) {
    return {.registers = kernel.value("registers", 0),
            .static_shared = kernel.value("static_shared", std::size_t{0}),
            .blocks_per_multiprocessor = kernel.value("blocks_per_multiprocessor", 0),
            .threads_per_block = kernel.value("threads_per_block", 0),
            .occupancy = kernel.value("occupancy", 0.0)};
}

Counters counters_from(const json& object) {
    Counters counters;
    for (const auto& [key, value] : object.items())
        if (key == "reasons")
            counters.reasons = value.get<std::map<std::string, std::string>>();
        else if (!value.is_null())  // as older files have what could not be counted
            counters.counts[key] = value.get<std::int64_t>();
    return counters;
}

json to_json(const Interval& interval) {
    return {interval.low, interval.high};
}

json to_json(const Verification& v) {
    json object{{"against", v.against}, {"error", v.error}, {"tolerance", v.tolerance}, {"steps", v.steps}};
    if (v.scale) object["scale"] = *v.scale;
    return object;
}

json to_json(const Limit& limit) {
    return {{"ceiling", limit.ceiling}, {"value", limit.value}, {"unit", limit.unit}, {"share", limit.share}};
}

json to_json(const Binding& binding) {
    return {
        {"ceiling", binding.ceiling}, {"term", binding.term}, {"time", binding.time}, {"unit", binding.unit}};
}

json to_json(const launch::KernelInfo& info) {
    json kernel{{"registers", info.registers},
                {"static_shared", info.static_shared},
                {"blocks_per_multiprocessor", info.blocks_per_multiprocessor}};
    if (info.threads_per_block > 0) {  // older files do not say
        kernel["threads_per_block"] = info.threads_per_block;
        kernel["occupancy"] = info.occupancy;
    }
    return kernel;
}

json to_json(const Counters& counters) {
    json object = counters.counts;
    if (!counters.reasons.empty()) object["reasons"] = counters.reasons;
    return object;
}

json to_json(double number) {
    return number;
}

template <class T>
json or_null(const std::optional<T>& value) {
    return value ? to_json(*value) : json();
}

json or_null(const std::string& text) {
    return text.empty() ? json() : json(text);
}

/// A limit that the row beats is none; files from before this rule hold such limits, too.
void set_aside_beaten(Row& row) {
    if (row.limit && row.limit->share > beaten_share)
        row.beaten_limit = std::exchange(row.limit, std::nullopt);
}

bool agrees(const std::string& key, const json& wanted, const Row& row) {
    if (wanted.is_array())
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](const json& one) { return agrees(key, one, row); });
    if (key == "status" && wanted == "measured") return row.measured();
    return selected_value(row, key) == wanted;
}

}  // namespace

Parameters parameters_from(const json& object) {
    Parameters parameters;
    for (const auto& [key, value] : object.items())
        if (value.is_boolean())
            parameters[key] = value.get<bool>();
        else if (value.is_number_integer())
            parameters[key] = value.get<std::int64_t>();
        else if (value.is_number())
            parameters[key] = value.get<double>();
        else
            parameters[key] = value.get<std::string>();
    return parameters;
}

std::string to_text(const Value& value) {
    if (const bool* const truth = std::get_if<bool>(&value)) return *truth ? "yes" : "no";
    if (const auto* const word = std::get_if<std::string>(&value)) return *word;
    return json_of({{"", value}})[""].dump();
}

json json_of(const Parameters& parameters) {
    json object = json::object();
    for (const auto& [key, value] : parameters)
        std::visit([&, &name = key](const auto& held) { object[name] = held; }, value);
    return object;
}

const char* to_string(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::estimate:
            return "estimate";
        case Status::skipped:
            return "skipped";
        case Status::failed:
            return "failed";
        case Status::forecast:
            return "forecast";
    }
    throw std::logic_error("no such status");
}

std::string Row::why_unfit() const {
    if (disturbed && !disturbed->allowed) return fmt::format("disturbed: {}", fmt::join(disturbed->by, ", "));
    if (clock.empty() || samples.empty() || samples_by_process().size() < 2) return {};
    const auto medians = process_medians(samples, samples_by_process());
    const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
    if (*most <= steady_factor * *least) return {};
    return fmt::format("unstable: the medians of its processes differ by a factor of {:.3g}", *most / *least);
}

void Row::disturb(const Disturbance& more) {
    if (!disturbed) disturbed.emplace(Disturbance{{}, more.allowed});
    for (const std::string& by : more.by)
        if (std::ranges::find(disturbed->by, by) == disturbed->by.end()) disturbed->by.push_back(by);
    disturbed->allowed = disturbed->allowed && more.allowed;
}

void Row::set_shares() {
    if (beaten_limit) limit = std::exchange(beaten_limit, std::nullopt);
    for (std::optional<Limit>* one : {&limit, &stepwise_limit})
        if (*one) (*one)->share = (*one)->value / *median;
    set_aside_beaten(*this);
}

std::vector<std::size_t> Row::samples_by_process() const {
    return process_samples.empty() ? std::vector{values().size()} : process_samples;
}

std::vector<double> Row::values() const {
    return samples.empty() && median ? std::vector{*median} : samples;
}

void from_json(const json& from, Row& row) {
    row.name = from.at("name");
    row.experiment = from.at("experiment");
    row.variant = from.at("variant");
    row.parameters = parameters_from(from.at("parameters"));
    row.quantity = from.at("quantity");
    row.unit = from.at("unit");
    row.clock = text_of(from, "clock");
    row.iterations = from.at("iterations");
    row.samples = from.at("samples").get<std::vector<double>>();
    row.process_samples = from.value("process_samples", std::vector<std::size_t>{});
    row.group = text_of(from, "group");
    row.stopped = text_of(from, "stopped");
    row.status = status_from(from.at("status"));
    row.reason = text_of(from, "reason");
    row.median = value_of<double>(from, "median");
    row.interval = object_of(from, "interval", interval_from);
    row.outliers = value_of<std::size_t>(from, "outliers");
    row.verification = object_of(from, "verification", verification_from);
    row.memory = object_of(from, "memory", [](const json& memory) {
        return Memory{.host = memory.at("host"), .gpu = memory.at("gpu")};
    });
    row.bytes = value_of<double>(from, "bytes");
    row.flops = value_of<double>(from, "flops");
    row.limit = object_of(from, "limit", limit_from);
    row.beaten_limit = object_of(from, "beaten_limit", limit_from);
    row.stepwise_limit = object_of(from, "stepwise_limit", limit_from);
    row.by_host = value_of<double>(from, "by_host");
    row.machines_differ_by = value_of<double>(from, "machines_differ_by");
    row.binding = object_of(from, "binding", binding_from);
    set_aside_beaten(row);
    row.made_by = text_of(from, "made_by");
    row.counted_by = text_of(from, "counted_by");
    row.kernel = object_of(from, "kernel", kernel_from);
    row.counters = object_of(from, "counters", counters_from);
    row.disturbed = object_of(from, "disturbed", [](const json& disturbed) {
        return Disturbance{disturbed.at("by").get<std::vector<std::string>>(), disturbed.at("allowed")};
    });
    row.spans = object_of(from, "spans", [](const json& spans) {
        std::vector<Interval> read;
        std::transform(spans.begin(), spans.end(), std::back_inserter(read), interval_from);
        return read;
    });
}

void to_json(json& to, const Row& row) {
    to = {{"name", row.name},
          {"iterations", row.iterations},
          {"experiment", row.experiment},
          {"variant", row.variant},
          {"parameters", json_of(row.parameters)},
          {"quantity", row.quantity},
          {"unit", row.unit},
          {"clock", or_null(row.clock)},
          {"samples", row.samples},
          {"group", or_null(row.group)},
          {"stopped", or_null(row.stopped)},
          {"median", or_null(row.median)},
          {"interval", or_null(row.interval)},
          {"status", to_string(row.status)},
          {"reason", or_null(row.reason)},
          {"verification", or_null(row.verification)},
          {"bytes", or_null(row.bytes)},
          {"flops", or_null(row.flops)},
          {"limit", or_null(row.limit)},
          {"kernel", or_null(row.kernel)},
          {"counters", or_null(row.counters)}};
    if (!row.process_samples.empty()) to["process_samples"] = row.process_samples;
    if (row.outliers) to["outliers"] = *row.outliers;
    if (row.memory) to["memory"] = {{"host", row.memory->host}, {"gpu", row.memory->gpu}};
    if (row.beaten_limit) to["beaten_limit"] = to_json(*row.beaten_limit);
    if (row.stepwise_limit) to["stepwise_limit"] = to_json(*row.stepwise_limit);
    if (row.by_host) to["by_host"] = *row.by_host;
    if (row.machines_differ_by) to["machines_differ_by"] = *row.machines_differ_by;
    if (row.binding) to["binding"] = to_json(*row.binding);
    if (row.disturbed) to["disturbed"] = {{"by", row.disturbed->by}, {"allowed", row.disturbed->allowed}};
    if (!row.made_by.empty()) to["made_by"] = row.made_by;
    if (!row.counted_by.empty()) to["counted_by"] = row.counted_by;
    if (row.spans) {
        to["spans"] = json::array();
        for (const Interval& span : *row.spans)
            to["spans"].push_back(to_json(span));
    }
}

json selected_value(const Row& row, const std::string& key) {
    if (key == "variant") return row.variant;
    if (key == "quantity") return row.quantity;
    if (key == "clock") return or_null(row.clock);
    if (key == "status") return to_string(row.status);
    if (key == "experiment") return row.experiment;
    const auto found = row.parameters.find(key);
    if (found == row.parameters.end()) return nullptr;
    return std::visit([](const auto& held) { return json(held); }, found->second);
}

bool matches(const json& selector, const Row& row) {
    return std::all_of(selector.items().begin(), selector.items().end(),
                       [&](const auto& item) { return agrees(item.key(), item.value(), row); });
}

std::vector<Row> select_rows(const std::vector<Row>& rows, const std::vector<json>& selectors) {
    std::vector<Row> result;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(result), [&](const Row& row) {
        return std::all_of(selectors.begin(), selectors.end(),
                           [&](const auto& s) { return matches(s, row); });
    });
    return result;
}

}  // namespace gridmark::harness
