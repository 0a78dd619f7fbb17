#include "harness/run/events.hpp"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "harness/run/job.hpp"

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

}  // namespace gridmark::harness
