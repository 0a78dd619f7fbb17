#include "harness/os/control_groups.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>

#include "harness/os/files.hpp"
#include "harness/read_number.hpp"

namespace gridmark::harness {
namespace {

using Path = std::filesystem::path;

std::optional<double> number_in(std::string_view text) {
    text = trim(text);
    double number = 0;
    const auto [end, error] = read_number(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, by);)
        parts.push_back(part);
    return parts;
}

bool holds(const std::string& list, const std::string& word) {
    const auto words = split(list, ',');
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// A path of mountinfo, where a blank is "\040".
Path unescaped(const std::string& text) {
    std::string path;
    for (std::size_t at = 0; at < text.size(); ++at) {
        int code = 0;
        const bool escaped = text[at] == '\\' && at + 3 < text.size() &&
                             std::from_chars(&text[at + 1], &text[at + 4], code, 8).ptr == &text[at + 4];
        path += escaped ? static_cast<char>(code) : text[at];
        at += escaped ? 3 : 0;
    }
    return path;
}

/// A hierarchy of groups as it is mounted.
struct Mount {
    Path of, at;  ///< the group that is mounted, and where
};

/// The mounted hierarchies of this version that may hold the controller.
std::vector<Mount> mounts_of(const SystemFiles& files, const std::string& controller, bool unified) {
    std::vector<Mount> mounts;
    std::istringstream lines(files.text("/proc/self/mountinfo").value_or(""));
    for (std::string line; std::getline(lines, line);) {
        // "31 23 0:28 /root /point options [tags] - type source options"
        std::istringstream words(line);
        const std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
        const auto dash = std::find(fields.begin(), fields.end(), "-");
        if (fields.size() < 5 || fields.end() - dash < 4) continue;
        if (unified ? dash[1] == "cgroup2" : dash[1] == "cgroup" && holds(dash[3], controller))
            mounts.push_back({unescaped(fields[3]), unescaped(fields[4])});
    }
    return mounts;
}

/// The folder of group `path`; the mount itself where the path is told from another place, as in a container.
Path folder_of(const Mount& mount, const Path& path) {
    const Path below = path.lexically_relative(mount.of);
    const bool is_below = !below.empty() && below != "." && *below.begin() != "..";
    return is_below ? (mount.at / below).lexically_normal() : mount.at;
}

}  // namespace

std::optional<std::string> SystemFiles::text(const Path& path) const {
    return whole_text(root / path.relative_path());
}

std::optional<double> ControlGroup::number(const char* file) const {
    const auto found = text(file);
    return found ? number_in(*found) : std::nullopt;
}

std::optional<double> ControlGroup::number(const char* file, std::string_view word) const {
    std::istringstream lines(text(file).value_or(""));
    for (std::string key, value; lines >> key >> value;)
        if (key == word) return number_in(value);
    return std::nullopt;
}

std::vector<ControlGroup> control_groups(const SystemFiles& files, const std::string& controller) {
    std::vector<ControlGroup> groups;
    std::istringstream lines(files.text("/proc/self/cgroup").value_or(""));
    for (std::string line; std::getline(lines, line);) {
        // "4:memory:/a/b" of version 1, "0::/a/b" of version 2
        const auto first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const bool unified = controllers.empty();
        if (!unified && !holds(controllers, controller)) continue;
        for (const Mount& mount : mounts_of(files, controller, unified))
            for (Path folder = folder_of(mount, line.substr(second + 1));; folder = folder.parent_path()) {
                groups.push_back({&files, folder, unified});
                if (folder == mount.at || folder == folder.parent_path()) break;
            }
    }
    // Where /proc is hidden, at least what lies where it usually does.
    if (groups.empty())
        groups = {{&files, "/sys/fs/cgroup", true}, {&files, "/sys/fs/cgroup/" + controller, false}};
    return groups;
}

}  // namespace gridmark::harness
