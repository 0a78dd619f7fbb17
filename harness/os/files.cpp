#include "harness/os/files.hpp"

#include <fstream>
#include <iterator>
#include <utility>

namespace gridmark::harness {

Expected<std::string> read_text_file(const std::string& path, std::string_view what) {
    std::ifstream file(path);
    if (!file) return unknown<std::string>("the system does not show " + std::string(what));
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (trim(text).empty()) return unknown<std::string>("the system shows nothing for " + std::string(what));
    return known(std::move(text));
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view white = " \t\r\n";
    const auto first = text.find_first_not_of(white);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(white) - first + 1);
}

}  // namespace gridmark::harness
