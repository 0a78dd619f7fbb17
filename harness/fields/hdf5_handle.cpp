#include "harness/fields/hdf5_handle.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace gridmark::harness {

std::string hdf5_reason() {
    std::string reason;
    // Upward: from the innermost call, which knows what is wrong, to ours.
    const auto take_first = [](unsigned, const H5E_error2_t* error, void* to) -> herr_t {
        auto& text = *static_cast<std::string*>(to);
        if (text.empty() && error->desc != nullptr) text = error->desc;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &reason);
    if (reason.empty()) return "HDF5 refused";
    // What the system said, of "file write failed: time = ..., errno = 28, error message = 'No space ...',
    // ...".
    static const std::string_view system = "error message = '";
    if (const auto at = reason.find(system); at != std::string::npos)
        reason =
            reason.substr(at + system.size(), reason.find('\'', at + system.size()) - at - system.size());
    // "bad version number for layout message" says little to who wrote the file with a newer library.
    if (reason.find("version number") != std::string::npos)
        reason += "; it may need a later HDF5 than " H5_VERSION;
    return printable(reason);
}

Handle::Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error(hdf5_reason());
}

void check(herr_t status) {
    if (status < 0) throw std::runtime_error(hdf5_reason());
}

std::string printable(std::string text) {
    constexpr std::size_t longest = 160;
    if (text.size() > longest) text = text.substr(0, longest) + "...";
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return text;
}

}  // namespace gridmark::harness
