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

/// ncu's own word for what went wrong: its last line that starts with "==ERROR==".
std::string error_line(const std::string& text) {
    const std::string mark = "==ERROR== ";
    const auto at = text.rfind(mark);
    if (at == std::string::npos) return "ncu gave no values";
    return "ncu: " + text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

}  // namespace

Reading<std::vector<double>> profile_share(const std::string& part, const std::string& whole,
                                           const std::string& kernel,
                                           const std::vector<std::string>& arguments, int device) {
    if (output_of("command -v ncu").second != 0)
        return unknown<std::vector<double>>("no profiler (ncu) on the PATH");
    std::string folder = (std::filesystem::temp_directory_path() / "gridmark-ncu-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr)
        return unknown<std::vector<double>>("no temporary folder for the profiler");
    std::string command =
        "CUDA_VISIBLE_DEVICES=" + std::to_string(device) +
        " ncu --csv --page raw --clock-control none --launch-skip 3 --launch-count 9 --metrics " +
        quoted(part + "," + whole) + " --print-units base --kernel-name " + quoted("regex:" + kernel) + " " +
        quoted(std::filesystem::read_symlink("/proc/self/exe").string()) + " solve";
    for (const std::string& argument : arguments)
        command += " " + quoted(argument);
    command += " --out " + quoted(folder + "/field.h5") + " 2>&1";
    const auto [text, status] = output_of(command);
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    std::vector<double> shares = parse_ncu_csv(text, part);
    const std::vector<double> wholes = parse_ncu_csv(text, whole);
    if (shares.empty() || shares.size() != wholes.size())
        return unknown<std::vector<double>>(error_line(text));
    for (std::size_t k = 0; k < shares.size(); ++k)
        shares[k] *= 100 / wholes[k];
    return known(std::move(shares));
}

}  // namespace gridmark::harness
