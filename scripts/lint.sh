#!/usr/bin/env bash
# The linters of CI: clang-format, ruff, and clang-tidy, each file by itself (kernels through their host-executor files:
# clang-tidy 14 cannot read CUDA 13's headers). The code is kept in form by clang-format 14, Debian 12's; another version
# would want other line breaks, so it is not asked.
set -euo pipefail
cd "$(dirname "$0")/.."
if clang-format --version | grep -q 'version 14\.'; then
    git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format --dry-run --Werror
else
    echo "lint: $(clang-format --version) is not version 14: form not checked"
fi
build/venv/bin/ruff check --quiet .
build/venv/bin/ruff format --check --quiet .
# Events are for order alone: made by another call, or with other flags, they would tell a time.
clocks='chrono|clock64|globaltimer|clock_gettime|omp_get_wtime|cudaEventElapsedTime|cudaEventCreate'
if git grep -nE "\b($clocks|nlohmann)\b|<benchmark/" -- kernels || git grep -n 'cudaEventCreateWithFlags' -- kernels | grep -v cudaEventDisableTiming; then
    echo "lint: kernels/ knows a clock, JSON or the benchmark library" >&2
    exit 1
fi
cmake --preset default -B build-tidy -DGRIDMARK_CUDA=OFF >/dev/null
ninja -C build-tidy -t targets all | sed -n 's/^\([^ :]*build_info\.hpp\):.*/\1/p' | xargs -r ninja -C build-tidy >/dev/null
# Files that are compiled together are linted together, as parts of the file that includes them: a sixth of the time.
toy=build-tidy/tests/template  # templates/study as a copy that compiles
{
    git ls-files 'kernels/*.cpp' 'harness/*.cpp' | grep -e kernels/ -e cli/main.cpp -e hdf5_output.cpp \
        -e run/benchmark.cpp -e run/run.cpp | grep -v -e gpu_device.cpp -e cpu_row.cpp
    find build-tidy/kernels "$toy/kernels/toy_diffusion" -name '*.host.cpp'
    find build-tidy/harness build-tidy/experiments "$toy" -path '*/Unity/*.cxx' | grep -v -e _tests.dir -e toy_broken
} | xargs -P "$(nproc)" -n 3 clang-tidy -p build-tidy --quiet --checks=-bugprone-suspicious-include \
    --header-filter='(kernels|harness|experiments)/.*\.[ch]pp$' \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unknown-pragmas 2>/dev/null
echo "lint: clean"
