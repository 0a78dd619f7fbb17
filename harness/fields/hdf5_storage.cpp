#include "harness/fields/hdf5_storage.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "harness/usage_error.hpp"

namespace gridmark::harness {

void check_storage(hid_t dataset, const std::string& name) {
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    if (H5Pget_layout(creation) == H5D_VIRTUAL || H5Pget_external_count(creation) != 0)
        throw UsageError(fmt::format("/{} keeps its values in other files, which are not read", name));
}

// A decoder's output grows by doubling, with an old and a new buffer side by side for a moment, and each
// chunk of a selection costs nearly 4 KiB.
std::size_t chunk_buffers(hid_t dataset, const std::vector<std::size_t>& sizes) {
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    if (H5Pget_layout(creation) != H5D_CHUNKED) return 0;
    std::array<hsize_t, H5S_MAX_RANK> chunk;
    chunk.fill(1);  // for dimensions that a damaged file lacks
    check(H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data()));
    const Handle type(H5Dget_type(dataset), H5Tclose);
    double bytes = 4.0 * static_cast<double>(H5Tget_size(type)), count = 4096;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        bytes *= static_cast<double>(chunk[i]);
        count *= std::ceil(static_cast<double>(sizes[i]) / static_cast<double>(chunk[i]));
    }
    constexpr double most = 0x1p60;  // more than there is, and can be added to
    return static_cast<std::size_t>(bytes + count < most ? bytes + count : most);
}

std::string reading_failure(hid_t dataset) {
    std::string reason = hdf5_reason();  // before other calls clear it
    const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
    for (int i = 0; i < H5Pget_nfilters(creation); ++i) {
        unsigned flags = 0, configuration = 0;
        std::size_t values = 0;
        char name[64] = "";
        const H5Z_filter_t filter = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values,
                                                   nullptr, sizeof name, name, &configuration);
        if (filter >= 0 && H5Zfilter_avail(filter) <= 0)
            return printable(fmt::format("its filter {}{}{} is not available", filter, *name ? " " : "",
                                         std::string(name, ::strnlen(name, sizeof name))));
    }
    return reason;
}

}  // namespace gridmark::harness
