#include "kernels/launch/toolkit.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

#ifndef GRIDMARK_TOOLKIT
#define GRIDMARK_TOOLKIT ""
#endif

namespace gridmark::launch {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// The numbers in a name, "cuda-12.8" -> {12, 8}: 12.10 is newer than 12.9.
std::vector<long> numbers(const std::string& name) {
    std::vector<long> found;
    for (std::size_t at = 0; at < name.size();) {
        char* end = nullptr;
        const char* const begin = name.c_str() + at;
        const bool digit = *begin >= '0' && *begin <= '9';
        if (digit) found.push_back(std::strtol(begin, &end, 10));
        at = digit ? static_cast<std::size_t>(end - name.c_str()) : at + 1;
    }
    return found;
}

/// Folders whose names begin so, the newest first; the name alone, without a number, is the user's link to
/// the best.
Names newest_first(const fs::path& folder, const std::string& begin) {
    Names found;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        if (entry->path().filename().string().starts_with(begin)) found.push_back(entry->path().string());
    std::ranges::sort(found, [](const std::string& a, const std::string& b) {
        const auto key = [](const std::string& name) {
            return std::pair(!numbers(name).empty(), numbers(name));
        };
        return key(a).first != key(b).first ? !key(a).first : key(a).second > key(b).second;
    });
    return found;
}

void add(Names& folders, const std::string& folder) {
    std::error_code ignored;
    const fs::path real = fs::weakly_canonical(folder, ignored);
    if (folder.empty() || !fs::is_directory(real, ignored)) return;
    if (std::ranges::find(folders, real.string()) == folders.end()) folders.push_back(real.string());
}

std::string value(const ToolkitPlaces& places, const char* variable) {
    const char* const text = places.environment(variable);
    return text == nullptr ? "" : text;
}

/// Those that come before what the system offers by itself.
Names first_folders(const ToolkitPlaces& places) {
    Names folders;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        add(folders, value(places, variable));
    add(folders, places.built_with);
    return folders;
}

bool can_start(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

/// In a toolkit's bin, or in the profiler's folder beside it.
std::string program_of(const std::string& folder, const std::string& name) {
    if (const fs::path file = fs::path(folder) / "bin" / name; can_start(file)) return file.string();
    for (const std::string& beside : newest_first(folder, "nsight-compute"))
        if (const fs::path file = fs::path(beside) / name; can_start(file)) return file.string();
    return {};
}

/// Where toolkits keep libraries, by NVIDIA's installer, in distributions' packages and in conda.
Names library_folders(const std::string& toolkit) {
    Names folders;
    for (const char* inside : {"extras/CUPTI/lib64", "lib64", "lib"})
        add(folders, toolkit + "/" + inside);
    std::error_code ignored;
    for (fs::directory_iterator entry(toolkit + "/targets", ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        add(folders, entry->path().string() + "/lib");
    return folders;
}

}  // namespace

ToolkitPlaces toolkit_places() {
    return {[](const char* variable) { return std::getenv(variable); }, GRIDMARK_TOOLKIT, ""};
}

Names toolkit_folders(const ToolkitPlaces& places) {
    Names folders = first_folders(places);
    add(folders, value(places, "CONDA_PREFIX"));
    for (const char* usual : {"/usr/local", "/opt"})
        for (const std::string& folder : newest_first(places.root + usual, "cuda"))
            add(folders, folder);
    for (const char* packaged : {"/opt/nvidia/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"})
        add(folders, places.root + packaged);
    return folders;
}

Names library_candidates(const std::string& name, const ToolkitPlaces& places) {
    Names candidates;
    std::error_code ignored;
    const auto program = fs::read_symlink("/proc/self/exe", ignored);
    if (!ignored) candidates.push_back((program.parent_path() / name).string());
    const Names first = first_folders(places);
    const auto add_those_of = [&](const std::string& toolkit) {
        for (const std::string& folder : library_folders(toolkit))
            candidates.push_back((fs::path(folder) / name).string());
    };
    std::ranges::for_each(first, add_those_of);
    candidates.push_back(name);
    for (const std::string& toolkit : toolkit_folders(places))
        if (std::ranges::find(first, toolkit) == first.end()) add_those_of(toolkit);
    return candidates;
}

std::string find_toolkit_program(const std::string& name, const ToolkitPlaces& places) {
    const Names first = first_folders(places);
    for (const std::string& toolkit : first)
        if (std::string found = program_of(toolkit, name); !found.empty()) return found;
    std::istringstream path(value(places, "PATH"));
    for (std::string folder; std::getline(path, folder, ':');)
        if (const fs::path file = fs::path(folder.empty() ? "." : folder) / name; can_start(file))
            return file.string();
    for (const std::string& toolkit : toolkit_folders(places))
        if (std::string found = program_of(toolkit, name); !found.empty()) return found;
    for (const std::string& version : newest_first(places.root + "/opt/nvidia/nsight-compute", ""))
        if (const fs::path file = fs::path(version) / name; can_start(file)) return file.string();
    return {};
}

}  // namespace gridmark::launch
