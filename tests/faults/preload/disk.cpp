#include "disk.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace gridmark::faults {

void Disk::will_rename(const std::string& from, const std::string& to) {
    std::ifstream old(to, std::ios::binary);
    renames_.push_back({from, to, static_cast<bool>(old), {std::istreambuf_iterator<char>(old), {}}});
    unflushed_.erase(to);
    if (unflushed_.erase(from) > 0) unflushed_[to] = true;
}

void Disk::lose_power() {
    for (const auto& [path, yes] : unflushed_)
        if (std::filesystem::exists(path)) std::filesystem::resize_file(path, 0);
    for (auto rename = renames_.rbegin(); rename != renames_.rend(); ++rename) {
        std::filesystem::rename(rename->to, rename->from);
        if (rename->existed) std::ofstream(rename->to, std::ios::binary) << rename->content;
    }
}

}  // namespace gridmark::faults
