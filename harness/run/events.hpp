#pragma once

#include <nlohmann/json.hpp>

namespace gridmark::harness {

/// Sends one event to the parent; ends the process quietly when there is no parent to hear it.
void send_event(const nlohmann::json& event);

}  // namespace gridmark::harness
