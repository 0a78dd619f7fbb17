#include "harness/fields/hdf5_input.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <type_traits>

#include "harness/machine/cpu.hpp"
#include "harness/os/memory.hpp"
#include "harness/os/process.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// Why it could not be read, for a file that HDF5 itself failed at.
std::string failed(const std::string& how) {
    return fmt::format("the HDF5 library could not read it ({})", how);
}

/// The file's size; throws unless there is a file that may be read. Pipes and devices are none: they might
/// block for ever.
std::uintmax_t check_file(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw UsageError("no such file");
    if (std::filesystem::is_directory(status)) throw UsageError("a folder, not a file");
    if (!std::filesystem::is_regular_file(status)) throw UsageError("not a regular file");
    if (::access(path.c_str(), R_OK) != 0)
        throw UsageError(fmt::format("cannot be read ({})", std::strerror(errno)));
    return std::filesystem::file_size(path);
}

/// The child's answer. Throws UsageError when it refuses, fails, or takes too long.
json ask(Process& child, double seconds) {
    json answer;
    try {
        switch (child.next(seconds, answer)) {
            case Process::Wait::event:
                break;
            case Process::Wait::damaged:
                throw UsageError(failed("its answer makes no sense"));
            case Process::Wait::ended: {
                const std::string how = child.kill_and_explain();
                throw UsageError(failed(how.empty() ? "it ended without an answer" : how));
            }
            case Process::Wait::timed_out:
                throw UsageError(failed(fmt::format("given up after {:.3g} s", seconds)));
            case Process::Wait::interrupted:
                throw UsageError("interrupted");
        }
        if (answer.contains("refused")) throw UsageError(answer.at("refused").get<std::string>());
    } catch (const json::exception&) {
        throw UsageError(failed("its answer makes no sense"));
    }
    // Whatever it does now, it must not change the values any more.
    child.kill_and_explain();
    return answer;
}

/// Takes the values out of what child and parent share. The child ran on untrusted data, so nothing that it
/// says about sizes is taken on trust.
template <class T>
std::vector<InputField<T>> take(const json& answer, const std::vector<InputRequest>& wanted,
                                const MemoryFile& shared) {
    const json& all = answer.at("sizes");
    if (!all.is_array() || all.size() != wanted.size()) throw std::runtime_error("datasets");
    std::vector<InputField<T>> fields;
    std::size_t offset = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i].optional && all[i].is_null()) {
            fields.push_back({wanted[i].name, {}, {}});
            continue;
        }
        const auto sizes = all[i].get<std::vector<std::size_t>>();
        const std::size_t room = (shared.size() - offset) / sizeof(T);
        std::size_t values = 1;
        for (const std::size_t size : sizes)
            if (size == 0 || __builtin_mul_overflow(values, size, &values)) throw std::runtime_error("sizes");
        if (sizes.size() != static_cast<std::size_t>(wanted[i].rank) || values > room)
            throw std::runtime_error("sizes");
        fields.push_back({wanted[i].name, sizes, std::vector<T>(values)});
        shared.read(fields.back().values.data(), values * sizeof(T), offset);
        offset += values * sizeof(T);
    }
    return fields;
}

}  // namespace

template <class T>
std::vector<InputField<T>> read_input(const std::filesystem::path& path,
                                      const std::vector<InputRequest>& wanted,
                                      const InputReader& reader) try {
    const std::uintmax_t bytes = check_file(path);
    constexpr std::int64_t where_unknown = std::int64_t{4} << 30;
    const auto available = static_cast<std::size_t>(read_available_memory().value.value_or(where_unknown));
    const ReaderJob job{path, wanted, std::is_same_v<T, double>, available};
    const MemoryFile shared(to_json(job).dump());
    Process child(reader_command, shared.descriptor(), reader.program.c_str());
    const json answer = ask(child, reader.seconds + static_cast<double>(bytes) / reader.bytes_per_second);
    try {
        return take<T>(answer, wanted, shared);
    } catch (const std::exception&) {
        throw UsageError(failed("its answer makes no sense"));
    }
} catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", path.string(), error.what()));
}

template std::vector<InputField<float>> read_input(const std::filesystem::path&,
                                                   const std::vector<InputRequest>&, const InputReader&);
template std::vector<InputField<double>> read_input(const std::filesystem::path&,
                                                    const std::vector<InputRequest>&, const InputReader&);

}  // namespace gridmark::harness
