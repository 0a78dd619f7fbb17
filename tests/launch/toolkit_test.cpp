// Which of several CUDA toolkits is asked for a library or a program.

#include "kernels/launch/toolkit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "tests/support/temporary_folder.hpp"

namespace gridmark::launch {
namespace {

namespace fs = std::filesystem;

class Toolkits : public ::testing::Test {
  protected:
    std::string made(const std::string& folder) {
        fs::create_directories(root_ / folder);
        return fs::canonical(root_ / folder).string();
    }
    /// A file that can be started.
    std::string program(const std::string& file) {
        fs::create_directories((root_ / file).parent_path());
        tests::write_text(root_ / file, "#!/bin/sh\n");
        fs::permissions(root_ / file, fs::perms::owner_all);
        return fs::canonical(root_ / file).string();
    }
    void set(const std::string& variable, const std::string& value) { variables_[variable] = value; }
    ToolkitPlaces places(const std::string& built_with = "") {
        return {[this](const char* name) {
                    const auto found = variables_.find(name);
                    return found == variables_.end() ? nullptr : found->second.c_str();
                },
                built_with, root_.path().string()};
    }
    /// Which comes first of those that are there.
    static std::size_t at(const std::vector<std::string>& candidates, const std::string& name) {
        const auto found = std::ranges::find(candidates, name);
        EXPECT_NE(found, candidates.end()) << name;
        return static_cast<std::size_t>(found - candidates.begin());
    }

  private:
    tests::TemporaryFolder root_;
    std::map<std::string, std::string> variables_;
};

TEST_F(Toolkits, ComeInOrderEachOnce) {
    const std::string older = made("usr/local/cuda-12.9"), newer = made("usr/local/cuda-12.10"),
                      mine = made("home/cuda"), conda = made("conda"), built = made("sdk");
    fs::create_directory_symlink(newer, fs::path(newer).parent_path() / "cuda");
    set("CUDA_HOME", mine);
    set("CUDA_PATH", "/nowhere/at/all");
    set("CONDA_PREFIX", conda);
    EXPECT_EQ(toolkit_folders(places(built)), (std::vector{mine, built, conda, newer, older}));
}

TEST_F(Toolkits, GiveLibrariesOfTheOneThatTheProgramWasCompiledBy) {
    const std::string built = made("sdk/targets/x86_64-linux/lib"), cupti = made("sdk/extras/CUPTI/lib64"),
                      conda = made("conda/lib"), usual = made("usr/local/cuda/lib64");
    set("CONDA_PREFIX", made("conda"));
    const auto found = library_candidates("libcupti.so.13", places(made("sdk")));
    EXPECT_LT(at(found, cupti + "/libcupti.so.13"), at(found, built + "/libcupti.so.13"));
    EXPECT_LT(at(found, built + "/libcupti.so.13"), at(found, "libcupti.so.13")) << "before the loader's own";
    EXPECT_LT(at(found, "libcupti.so.13"), at(found, conda + "/libcupti.so.13"));
    EXPECT_LT(at(found, conda + "/libcupti.so.13"), at(found, usual + "/libcupti.so.13"));
    EXPECT_EQ(std::ranges::count(found, built + "/libcupti.so.13"), 1);
}

TEST_F(Toolkits, GiveTheirProfilerBeforeThePath) {
    EXPECT_EQ(find_toolkit_program("ncu", places()), "");
    program("opt/nvidia/nsight-compute/2024.3.0/ncu");
    const std::string alone = program("opt/nvidia/nsight-compute/2025.1.0/ncu");
    EXPECT_EQ(find_toolkit_program("ncu", places()), alone);
    const std::string usual = program("usr/local/cuda-13.0/bin/ncu");
    EXPECT_EQ(find_toolkit_program("ncu", places()), usual) << "not on the PATH";
    const std::string on_path = program("bin/ncu");
    set("PATH", "/nowhere::" + fs::path(on_path).parent_path().string());
    EXPECT_EQ(find_toolkit_program("ncu", places()), on_path);
    const std::string beside = program("sdk/nsight-compute-2025.3.0/ncu");
    EXPECT_EQ(find_toolkit_program("ncu", places(made("sdk"))), beside);
    made("home/cuda/bin/ncu");  // a folder of that name is no program
    set("CUDA_HOME", made("home/cuda"));
    EXPECT_EQ(find_toolkit_program("ncu", places(made("sdk"))), beside);
}

}  // namespace
}  // namespace gridmark::launch
