// Feeds kept inputs to a fuzz target, in a build without a fuzzer: replay FOLDER...

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* argc, char*** argv);

int main(int argc, char** argv) {
    std::vector<std::filesystem::path> folders;
    for (int i = 1; i < argc; ++i)
        folders.push_back(std::filesystem::absolute(argv[i]));  // the target may go elsewhere
    if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
    std::size_t count = 0;
    for (const auto& folder : folders)
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(file), {}};
            // Known before it is tried: what fails here ends the process.
            std::printf("%s\n", entry.path().c_str());
            std::fflush(stdout);
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
            ++count;
        }
    std::printf("%zu inputs\n", count);
    std::fflush(stdout);
    // No exit handlers: CUPTI's, once a target has loaded it, flushes the stream that was standard output
    // then.
    std::_Exit(count > 0 ? 0 : 1);
}
