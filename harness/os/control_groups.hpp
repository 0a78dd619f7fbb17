#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The control groups that hold this process, and what they limit (cgroups(7), versions 1 and 2).
namespace gridmark::harness {

/// Where /proc and /sys lie: below the root of the system, or of a folder that a test filled.
struct SystemFiles {
    std::filesystem::path root = "/";

    /// The text of /proc/... or /sys/...; none where it cannot be read.
    std::optional<std::string> text(const std::filesystem::path& path) const;
};

/// A folder of a control group. A limit of any that holds this process holds for it.
struct ControlGroup {
    const SystemFiles* files;
    std::filesystem::path folder;  ///< below the root, as "/sys/fs/cgroup/a"
    bool unified;                  ///< of version 2

    std::optional<std::string> text(const char* file) const { return files->text(folder / file); }
    /// A file that holds one number; none for "max", and where there is no such file.
    std::optional<double> number(const char* file) const;
    /// The number behind a word in a file of such pairs.
    std::optional<double> number(const char* file, std::string_view word) const;
};

/// Those that may limit by this controller ("cpu", "memory"), of both versions: this process's own and all
/// above it that can be seen.
std::vector<ControlGroup> control_groups(const SystemFiles& files, const std::string& controller);

}  // namespace gridmark::harness
