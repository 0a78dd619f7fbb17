#include "harness/run/events.hpp"

#include <unistd.h>

#include <cerrno>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/results/result_file.hpp"
#include "harness/run/job.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {

void send_event(const nlohmann::json& event) {
    const std::string line = event.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t written = ::write(event_descriptor, rest.data(), rest.size());
        if (written > 0)
            rest.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            ::_exit(1);
    }
}

void check_event(const nlohmann::json& event) {
    using Names = std::vector<std::string>;
    using Texts = std::map<std::string, std::string>;
    const auto kind = event.at("event").get<std::string>();
    if (kind == "context") {
        (void)event.at("context").at("reasons").get<Texts>();
    } else if (kind == "ceilings") {
        (void)event.at("ceilings").get_ref<const nlohmann::json::array_t&>();
    } else if (kind == "plan") {
        (void)event.at("rows").get<Names>();
        (void)event.at("matching").get<Names>();
    } else if (kind == "begin") {
        (void)event.at("rows").get<Names>();
    } else if (kind == "rows") {
        for (const auto& row : event.at("rows").get_ref<const nlohmann::json::array_t&>())
            check_row(row, "rows");
    } else if (kind == "end") {
        (void)event.at("clocks").get_ref<const nlohmann::json::object_t&>();
        (void)event.at("reasons").get<Texts>();
    } else {
        throw UsageError(kind + ": no such event");
    }
}

}  // namespace gridmark::harness
