#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gridmark::harness {

/// One thing read from the machine: its value, or why there is none. It never stands for "unknown" by
/// 0.
template <class T>
struct Expected {
    std::optional<T> value;
    std::string reason;  ///< empty exactly when there is a value

    explicit operator bool() const { return value.has_value(); }
};

/// A value that was read.
template <class T>
Expected<T> known(T value) {
    return {std::move(value), {}};
}

/// Why there is no value (one line, without host names, user names or paths).
template <class T>
Expected<T> unknown(std::string_view why) {
    return {std::nullopt, std::string(why.empty() ? "unknown" : why)};
}

/// The value passed through `function` where there is a value; the reason is kept where there is none.
template <class T, class Function>
auto transform(const Expected<T>& reading, Function function)
    -> Expected<decltype(function(*reading.value))> {
    if (!reading) return {std::nullopt, reading.reason};
    return known(function(*reading.value));
}

/// Writes the value under the last part of `dotted_path` ("cpu.governor" writes object["governor"]), or null
/// there and the reason under reasons[dotted_path], as `context.reasons` of a result file wants it.
template <class T>
void put(nlohmann::json& object, nlohmann::json& reasons, const std::string& dotted_path,
         const Expected<T>& reading) {
    // rfind gives npos where there is no dot, and npos + 1 is 0: the whole path is the key.
    const std::string key = dotted_path.substr(dotted_path.rfind('.') + 1);
    if (reading) {
        object[key] = *reading.value;
    } else {
        object[key] = nullptr;
        reasons[dotted_path] = reading.reason;
    }
}

}  // namespace gridmark::harness
