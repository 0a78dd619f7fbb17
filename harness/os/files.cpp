#include "harness/os/files.hpp"

#include <array>
#include <fstream>
#include <utility>

namespace gridmark::harness {

std::optional<std::string> whole_text(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file) return std::nullopt;
    std::string text;
    std::array<char, 4096> part{};
    // Not by an iterator over the buffer: that throws what read() says by bad().
    do {
        file.read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    } while (file);
    if (file.bad()) return std::nullopt;
    return text;
}

Expected<std::string> read_text_file(const std::string& path, std::string_view what) {
    auto text = whole_text(path);
    if (!text) return unknown<std::string>("the system does not show " + std::string(what));
    if (trim(*text).empty()) return unknown<std::string>("the system shows nothing for " + std::string(what));
    return known(*std::move(text));
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view white = " \t\r\n";
    const auto first = text.find_first_not_of(white);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(white) - first + 1);
}

}  // namespace gridmark::harness
