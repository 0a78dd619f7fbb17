#include "harness/machine/build.hpp"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <span>

#include "harness/machine/build_info.hpp"

namespace gridmark::harness {
namespace {

Expected<std::string> text_or(const char* text, const char* why) {
    return *text != '\0' ? known(std::string(text)) : unknown<std::string>(why);
}

std::string hexadecimal(std::span<const unsigned char> bytes) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

// Walks the notes of one PT_NOTE segment: header, name and description, the latter two padded to four bytes.
std::string find_build_id(std::span<const unsigned char> notes) {
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) header;
        std::memcpy(&header, notes.data(), sizeof header);
        const std::size_t description = sizeof header + padded(header.n_namesz);
        const std::size_t next = description + padded(header.n_descsz);
        if (next > notes.size()) break;
        const bool gnu = header.n_namesz == 4 && std::memcmp(notes.data() + sizeof header, "GNU", 4) == 0;
        if (gnu && header.n_type == NT_GNU_BUILD_ID) {
            return hexadecimal(notes.subspan(description, header.n_descsz));
        }
        notes = notes.subspan(next);
    }
    return {};
}

// The loader reports the program itself first; returning non-zero ends its walk there.
int visit_program(dl_phdr_info* info, std::size_t /*size*/, void* result) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type != PT_NOTE) continue;
        const auto* begin = reinterpret_cast<const unsigned char*>(info->dlpi_addr + segment.p_vaddr);
        auto id = find_build_id({begin, segment.p_memsz});
        if (!id.empty()) *static_cast<std::string*>(result) = std::move(id);
    }
    return 1;
}

}  // namespace

Expected<std::string> read_build_id() {
    std::string id;
    dl_iterate_phdr(visit_program, &id);
    return text_or(id.c_str(), "linked without a build id");
}

nlohmann::json describe_build(nlohmann::json& reasons) {
    nlohmann::json build = nlohmann::json::object();
    constexpr const char* no_git = "built outside a git checkout or without git";
    constexpr const char* no_cuda = "built without the CUDA toolkit";
    put(build, reasons, "build.commit", text_or(build_info::commit, no_git));
    put(build, reasons, "build.dirty",
        build_info::dirty < 0 ? unknown<bool>(no_git) : known(build_info::dirty == 1));
    put(build, reasons, "build.compiler", text_or(build_info::compiler, "CMake names no compiler"));
    put(build, reasons, "build.flags", text_or(build_info::flags, "no flags beyond the targets' own"));
    put(build, reasons, "build.build_type", text_or(build_info::build_type, "no build type was chosen"));
    put(build, reasons, "build.nvcc", text_or(build_info::nvcc, no_cuda));
    const char* no_cuda_flags = *build_info::nvcc != '\0' ? "no flags beyond the targets' own" : no_cuda;
    put(build, reasons, "build.cuda_flags", text_or(build_info::cuda_flags, no_cuda_flags));
    put(build, reasons, "build.cuda_architectures", text_or(build_info::cuda_architectures, no_cuda));
    put(build, reasons, "build.build_id", read_build_id());
    return build;
}

}  // namespace gridmark::harness
