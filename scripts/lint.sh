#!/usr/bin/env bash
# The linters of CI: clang-format, ruff, and clang-tidy (of kernels as the host executor compiles them: clang-tidy 14
# cannot read CUDA 13's headers). The code is kept in form by clang-format 14, Debian 12's; another version
# would want other line breaks, so it is not asked.
set -euo pipefail
cd "$(dirname "$0")/.."
if clang-format --version | grep -q 'version 14\.'; then
    git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs -d '\n' clang-format --dry-run --Werror
else
    echo "lint: $(clang-format --version) is not version 14: form not checked"
fi
build/venv/bin/ruff check --quiet .
build/venv/bin/ruff format --check --quiet .
# Events are for order alone: made by another call, or with other flags, they would tell a time.
clocks='chrono|clock64|globaltimer|clock_gettime|omp_get_wtime|cudaEventElapsedTime|cudaEventCreate'
if grep -rnE "\b($clocks|nlohmann)\b|<benchmark/" kernels || grep -rn 'cudaEventCreateWithFlags' kernels | grep -v cudaEventDisableTiming; then
    echo "lint: kernels/ knows a clock, JSON or the benchmark library" >&2
    exit 1
fi
# A loop over a part of what a call returns reads what is gone.
if git grep -nE 'for \([^;]* : .*(\.value\(.*\)\.items\(\)|\)\[|\)\.\w+\.(at|front|back)\()' -- '*.cpp' '*.hpp'; then
    echo "lint: a loop over a part of a temporary" >&2
    exit 1
fi
# An iterator over a file's buffer throws where reading is an error, and a process's files end with it.
if git grep -nP 'istreambuf_iterator<char>\((?!std::cin)' -- harness experiments; then
    echo "lint: a file read by istreambuf_iterator; whole_text() of harness/os/files.hpp does not throw" >&2
    exit 1
fi
cmake --preset default -B build-tidy -DGRIDMARK_CUDA=OFF -DGRIDMARK_LINT=ON >/dev/null
ninja -C build-tidy -t targets all | sed -n 's/^\([^ :]*build_info\.hpp\):.*/\1/p' | xargs -r ninja -C build-tidy >/dev/null
# Files that are compiled together are linted together, as parts of the file that includes them: a sixth of the time.
# Of the inner loops' instruction sets one is enough; of the tests, examples/ alone.
sed -n 's/.*"file": "\(.*\)",\?$/\1/p' build-tidy/compile_commands.json |
    grep -e /build-tidy/kernels/ -e /build-tidy/harness/ -e /build-tidy/experiments/ -e /tests/examples/ \
        -e "^$PWD/kernels/" -e "^$PWD/harness/" -e "^$PWD/experiments/" -e "^$PWD/examples/" |
    grep -v -e '_tests\.dir' -e _sse2.dir -e _avx2.dir | sort -u |
    xargs -d '\n' -P "$(nproc)" -n 1 clang-tidy -p build-tidy --quiet --checks=-bugprone-suspicious-include \
        --header-filter='(kernels|harness|experiments)/.*\.([ch]pp|cuh?)$' \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unknown-pragmas 2>/dev/null
echo "lint: clean"
