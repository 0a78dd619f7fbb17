#include "harness/fields/hdf5_input.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <system_error>
#include <type_traits>

#include "harness/fields/hdf5_dataset.hpp"
#include "harness/os/limits.hpp"
#include "harness/os/process.hpp"
#include "harness/os/resources.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// What HDF5 may take for itself beside values and chunks: far more than any sane file's metadata.
constexpr std::size_t library_room = std::size_t{512} << 20;

/// No plugin of the user's, no lock on a file that is only read, no link to another file, no printed errors.
void calm_hdf5() {
    ::setenv("HDF5_PLUGIN_PRELOAD", "::", 1);
    ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    check(H5PLset_loading_state(0));
    forget_external_links();
}

Handle open_file(const std::filesystem::path& path) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    check(H5Pset_fapl_sec2(access));  // whatever driver the environment names
    if (H5Fis_hdf5(path.c_str()) == 0) throw UsageError("not an HDF5 file");
    try {
        return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose};
    } catch (const std::exception& error) {
        throw UsageError(fmt::format("the HDF5 library cannot open it ({})", error.what()));
    }
}

/// Makes room on the standard input and maps it.
char* map_values(std::size_t bytes) {
    if (::ftruncate(STDIN_FILENO, static_cast<off_t>(bytes)) == 0) {
        void* place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, STDIN_FILENO, 0);
        if (place != MAP_FAILED) return static_cast<char*>(place);
    }
    throw std::system_error(errno, std::generic_category(), "no room for the values");
}

template <class T>
[[noreturn]] void read_datasets(const ReaderJob& job) {
    limit_address_space(std::min(library_room, job.available));
    const Handle file = open_file(job.path);
    struct Found {
        const InputRequest& request;
        InputDataset dataset;
    };
    std::vector<Found> found;
    std::size_t bytes = 0, buffers = 0;
    json sizes = json::array();
    for (const InputRequest& request : job.wanted) {
        if (request.optional && !has_link(file, request.name)) {
            sizes.push_back(nullptr);
            continue;
        }
        found.push_back({request, open_dataset(file, request.name, request.rank)});
        const InputDataset& dataset = found.back().dataset;
        sizes.push_back(dataset.sizes);
        buffers = std::max(buffers, dataset.buffers);
        // All values exist twice for a moment: here and as the parent's copy.
        const std::size_t room = job.available - std::min(job.available, 2 * bytes + buffers);
        if (dataset.values > room / (2 * sizeof(T)))
            throw UsageError(
                fmt::format("/{} has the sizes [{}]: {:.3g} GiB are needed to read it and {:.3g} are free",
                            request.name, fmt::join(dataset.sizes, ","),
                            (2.0 * sizeof(T) * dataset.values + buffers + 2 * bytes) / (1 << 30),
                            static_cast<double>(job.available) / (1 << 30)));
        bytes += dataset.values * sizeof(T);
    }
    limit_address_space(library_room + buffers + bytes);
    char* place = bytes > 0 ? map_values(bytes) : nullptr;
    for (const auto& [request, dataset] : found) {
        read_values(dataset, request.name, reinterpret_cast<T*>(place));
        place += dataset.values * sizeof(T);
    }
    // Here and not after the handles have closed: a damaged file may still crash the library then.
    send_event({{"sizes", sizes}});
    ::_exit(0);
}

}  // namespace

json to_json(const ReaderJob& job) {
    json wanted = json::array();
    for (const InputRequest& request : job.wanted)
        wanted.push_back({{"name", request.name}, {"rank", request.rank}, {"optional", request.optional}});
    // The path as bytes: JSON's text is UTF-8, a path need not be.
    const std::string& path = job.path.native();
    return {{"path", std::vector<unsigned char>(path.begin(), path.end())},
            {"wanted", wanted},
            {"doubles", job.doubles},
            {"available", job.available}};
}

ReaderJob reader_job_from_json(const json& document) {
    ReaderJob job;
    const auto path = document.at("path").get<std::vector<unsigned char>>();
    job.path = std::string(path.begin(), path.end());
    for (const json& request : document.at("wanted"))
        job.wanted.push_back({request.at("name"), request.at("rank"), request.at("optional")});
    job.doubles = document.at("doubles");
    job.available = document.at("available");
    return job;
}

void run_hdf5_reader() {
    forbid_core_dumps();
    try {
        const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
        const ReaderJob job = reader_job_from_json(json::parse(text));
        calm_hdf5();
        if (job.doubles)
            read_datasets<double>(job);
        else
            read_datasets<float>(job);
    } catch (const std::exception& error) {
        send_event({{"refused", error.what()}});
    }
    ::_exit(0);
}

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
    Process child({reader_command}, shared.descriptor(), reader.program);
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
