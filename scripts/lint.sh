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
cmake --preset default -B build-tidy -DGRIDMARK_CUDA=OFF -DGRIDMARK_UNITY=OFF >/dev/null
ninja -C build-tidy -t targets all | sed -n 's/^\([^ :]*build_info\.hpp\):.*/\1/p' | xargs -r ninja -C build-tidy >/dev/null
toy=tests/template  # templates/study as a copy that compiles
{
    git ls-files 'kernels/*.cpp' 'harness/*.cpp' 'experiments/*.cpp' | grep -v -e _none.cpp \
        -e gpu_device.cpp -e cpu_row.cpp -e hdf5_no_network.cpp
    find build-tidy/kernels build-tidy/$toy/kernels/toy_diffusion -name '*.host.cpp'
    find build-tidy/$toy/toys/{kernels,experiments}/toy_diffusion -name '*.cpp'
} | grep -v -e harness/gpu/cupti -e harness/gpu/kernel_ -e harness/gpu/properties.cpp -e harness/gpu/step_clock.cpp \
    -e harness/ceilings/pcie_transfer.cpp | xargs -P "$(nproc)" -n 3 clang-tidy -p build-tidy --quiet \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unknown-pragmas 2>/dev/null
echo "lint: clean"
