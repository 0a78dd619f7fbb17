#include "harness/gpu/ncu.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace gridmark::harness {
namespace {

std::string quoted(const std::string& word) {
    std::string result = "'";
    for (char c : word)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// Everything that a shell command prints, and its exit status.
std::pair<std::string, int> output_of(const std::string& command) {
    std::string text;
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return {"", -1};
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        text.append(buffer, n);
    return {text, ::pclose(pipe)};
}

std::string joined(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words)
        list += (list.empty() ? "" : ",") + word;
    return list;
}

}  // namespace

Expected<std::string> run_ncu(const std::vector<std::string>& counters, const std::string& kernel,
                              const std::vector<std::string>& arguments, int device) {
    if (output_of("command -v ncu").second != 0) return unknown<std::string>("no profiler (ncu) on the PATH");
    std::string folder = (std::filesystem::temp_directory_path() / "gridmark-ncu-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr)
        return unknown<std::string>("no temporary folder for the profiler");
    // By default ncu empties all caches before every launch: the bytes that then come from DRAM are not those
    // of a step that follows another. Rates of L1 do not depend on it: the GPU itself empties L1 when a
    // kernel starts.
    std::string command =
        "CUDA_VISIBLE_DEVICES=" + std::to_string(device) +
        " ncu --csv --page raw --clock-control none --cache-control none --launch-skip 3 --launch-count 9"
        " --print-units base --metrics " +
        quoted(joined(counters)) + " --kernel-name " + quoted("regex:" + kernel) + " " +
        quoted(std::filesystem::read_symlink("/proc/self/exe").string()) + " solve";
    for (const std::string& argument : arguments)
        command += " " + quoted(argument);
    command += " --out " + quoted(folder + "/field.h5") + " 2>&1";
    std::string text = output_of(command).first;
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return known(std::move(text));
}

}  // namespace gridmark::harness
