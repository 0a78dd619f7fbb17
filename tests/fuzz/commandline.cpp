// Any bytes as a command line, an argument a line: exit code 0, or 2 and one line that says why.

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "harness/cli/commands.hpp"
#include "harness/fields/hdf5_input.hpp"
#include "tests/fuzz/target.hpp"

namespace gridmark::fuzz {
namespace {

/// What a stream of C gets while this lives, in memory.
class Captured {
  public:
    explicit Captured(std::FILE*& stream) : stream_(stream), before_(stream) {
        stream = ::open_memstream(&text_, &size_);
    }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    ~Captured() {
        std::fclose(stream_);
        stream_ = before_;
        std::free(text_);
    }
    std::string text() {
        std::fflush(stream_);
        return {text_, size_};
    }

  private:
    std::FILE*& stream_;
    std::FILE* before_;
    char* text_ = nullptr;
    std::size_t size_ = 0;
};

std::vector<std::string> arguments_of(const char* data, std::size_t size) {
    std::vector<std::string> words{"gridmark"};
    std::string word;
    for (std::size_t i = 0; i < size; ++i)
        if (data[i] == '\n')
            words.push_back(std::move(word)), word.clear();
        else if (data[i] != '\0')
            word += data[i];
    if (!word.empty()) words.push_back(word);
    return words;
}

/// The two that the program gives its own children: they read the standard input, which is trusted.
bool is_for_children(const std::vector<std::string>& words) {
    return words.size() == 2 && (words[1] == "_child" || words[1] == harness::reader_command);
}

void expect_one_line(const std::string& errors) {
    expect(errors.starts_with("gridmark: "), "a complaint that does not begin with the program's name");
    expect(errors.size() > std::strlen("gridmark: \n"), "a complaint without words");
    expect(errors.find('\n') == errors.size() - 1, "a complaint that is not one line");
    for (const unsigned char c : errors)
        expect(c >= 0x20 || c == '\n', "a complaint with control characters");
}

void run(const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const std::string& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    int code = 0;
    std::string output, errors;
    {
        Captured out(stdout), error(stderr);
        code = harness::program(static_cast<int>(words.size()), argv.data());
        output = out.text();
        errors = error.text();
    }
    if (code == 0) {
        // `export` says on the standard error what a format has no place for.
        expect(errors.find("gridmark: ") == std::string::npos, "a complaint, and exit code 0");
        return;
    }
    if (code != 2) std::fprintf(stderr, "exit code %d: %s", code, errors.c_str());
    expect(code == 2, "an exit code other than 0 and 2");
    // `check` says on the standard output what a folder lacks.
    if (errors.empty())
        expect(output.find(".json: ") != std::string::npos, "exit code 2, and nobody says why");
    else
        expect_one_line(errors);
}

}  // namespace
}  // namespace gridmark::fuzz

/// Paths are below a folder that holds a small result set and an empty one.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
    using namespace gridmark::fuzz;
    std::cout.rdbuf(nullptr);  // what --help says
    const auto folder = scratch_folder() / "work";
    std::filesystem::create_directories(folder / "empty");
    std::filesystem::create_directories(folder / "m");
    std::filesystem::copy(GRIDMARK_SOURCE_DIR "/results/published/gtx-570/jacobi.json", folder / "m");
    std::ofstream(folder / "text") << "no folder\n";
    std::filesystem::current_path(folder);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto words = gridmark::fuzz::arguments_of(reinterpret_cast<const char*>(data), size);
    if (!gridmark::fuzz::is_for_children(words)) gridmark::fuzz::run(words);
    return 0;
}
