#include "harness/gpu/ncu.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include "harness/os/process.hpp"
#include "harness/read_number.hpp"
#include "kernels/launch/toolkit.hpp"

namespace gridmark::harness {
namespace {

/// A program's whole output, standard error too; the reason says why it said nothing.
Expected<std::string> output_of(const std::string& program, const std::vector<std::string>& arguments) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    Process process(arguments, nothing, program);
    ::close(nothing);
    constexpr double for_ever = std::numeric_limits<double>::infinity();  // the run's own watchdog ends all
    nlohmann::json ignored;
    for (auto wait = Process::Wait::event; wait == Process::Wait::event || wait == Process::Wait::damaged;)
        wait = process.next(for_ever, ignored);
    const std::string why = process.kill_and_explain();
    std::string text = process.said(std::numeric_limits<std::size_t>::max());
    return text.empty() && !why.empty() ? unknown<std::string>("the profiler (ncu) failed: " + why)
                                        : known(std::move(text));
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
    const std::string ncu = launch::find_toolkit_program("ncu");
    if (ncu.empty()) return unknown<std::string>("no profiler (ncu) on the PATH or in a CUDA toolkit");
    std::string folder = (std::filesystem::temp_directory_path() / "gridmark-ncu-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr)
        return unknown<std::string>("no temporary folder for the profiler");
    // By default ncu empties all caches before every launch: the bytes that then come from DRAM are not those
    // of a step that follows another. Rates of L1 do not depend on it: the GPU itself empties L1 when a
    // kernel starts.
    std::vector<std::string> words{"--csv",
                                   "--page",
                                   "raw",
                                   "--clock-control",
                                   "none",
                                   "--cache-control",
                                   "none",
                                   "--launch-skip",
                                   "3",
                                   "--launch-count",
                                   "9",
                                   "--print-units",
                                   "base",
                                   "--metrics",
                                   joined(counters),
                                   "--kernel-name",
                                   "regex:" + kernel,
                                   std::filesystem::read_symlink("/proc/self/exe").string(),
                                   "solve"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    // The same number of the same environment is the GPU that was timed.
    words.insert(words.end(), {"--device", std::to_string(device), "--out", folder + "/field.h5"});
    auto output = output_of(ncu, words);
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return output;
}

namespace {

/// The fields of one CSV line whose fields stand in double quotes, as ncu writes it; no escapes occur.
std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> result;
    std::string field;
    bool quoted = false;
    for (char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            result.push_back(std::exchange(field, {}));
        else
            field += c;
    }
    result.push_back(field);
    return result;
}

/// A finite number, its thousands separated by commas or not; the whole text must be one.
std::optional<double> number(std::string text) {
    std::erase(text, ',');
    double value = 0;
    const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

}  // namespace

std::vector<double> parse_ncu_csv(const std::string& output, const std::string& metric) {
    std::vector<double> values;
    std::istringstream lines(output);
    std::size_t column = 0, columns = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto row = fields(line);
        if (columns == 0) {
            const auto found = std::find(row.begin(), row.end(), metric);
            if (found == row.end()) continue;
            column = static_cast<std::size_t>(found - row.begin());
            columns = row.size();
            continue;
        }
        // The line of units has no number here; a kernel's name may hold commas, but it is quoted.
        if (row.size() != columns) continue;
        if (const auto value = number(row[column])) values.push_back(*value);
    }
    return values;
}

std::string ncu_error(const std::string& output) {
    const std::string mark = "==ERROR== ";
    const auto at = output.rfind(mark);
    if (at == std::string::npos) return "";
    return output.substr(at + mark.size(), output.find('\n', at) - at - mark.size());
}

bool lacks_a_counter(const std::string& output) {
    // Before the program starts, or at the first launch.
    return output.find("==ERROR== Failed to find metric") != std::string::npos ||
           output.find("==ERROR== Failed to access the following") != std::string::npos;
}

}  // namespace gridmark::harness
