#pragma once

#include <nlohmann/json.hpp>

namespace gridmark::harness {

/// Sends one event to the parent; ends the process quietly when there is no parent to hear it.
void send_event(const nlohmann::json& event);

/// Why a process is given up whose report fails check_event(), or is no JSON at all.
constexpr const char* damaged_report = "what it reported is damaged";

/// Checks that what a child reported is one of the events of job.hpp, its rows as a result file wants them: a
/// child that overwrites its own memory may say anything. Throws UsageError or nlohmann::json::exception.
void check_event(const nlohmann::json& event);

}  // namespace gridmark::harness
