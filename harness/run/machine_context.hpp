#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/run/job.hpp"
#include "harness/run/run.hpp"

namespace gridmark::harness {

/// Machine and ceilings, measured by a child so that a crashing driver costs only them; a crash while the
/// ceilings are measured costs only those. `meanwhile` is called while it waits (Process::next).
nlohmann::json machine_context(const Job& job, double timeout, const std::function<void()>& meanwhile);

/// The context of an experiment's result file: the machine's, and what was asked for.
nlohmann::json full_context(nlohmann::json context, const std::string& experiment, const RunOptions& options);

/// A text of an object; "unknown" where it is not there.
std::string text_at(const nlohmann::json& object, const char* key);

}  // namespace gridmark::harness
