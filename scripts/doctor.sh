#!/usr/bin/env bash
# One screen: what Gridmark finds on this machine, what is missing, what that costs, and the one command that mends it.
# Needs nothing to be built or installed. What concerns a GPU the program says itself, once it is built
# (gridmark machine --doctor).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/environment.sh

line() {
    local name=$1 part
    while IFS= read -r part; do
        printf '%-13s %s\n' "$name" "$part"
        name=
    done < <(printf '%s\n' "$2" | fold -s -w 86)
}
mend() { printf '%-13s mend: %s\n' "" "$1"; }

# What to build with.
if missing=$(GRIDMARK_INSTALL_DRY=1 scripts/install.sh 2>/dev/null); then
    line build "compiler, libraries and tools are there; CMake $(cmake_version)"
else
    line build "missing, so nothing can be built: $missing"
    mend "make install   (by apt or sudo, else unpacked into build/root)"
fi
if ! at_least "$(cmake_version)" $CMAKE_NEEDED; then
    line CMake "$(cmake_version) is too old: $CMAKE_NEEDED is needed to build"
    mend "make install   (puts a newer one into build/tools)"
fi
if cmp -s plots/requirements.txt build/venv/requirements.txt; then
    line Python "the pinned packages are in build/venv"
else
    line Python "the pinned packages are missing: no tables, graphs and report"
    mend "make install"
fi
if [ -n "${CONDA_PREFIX:-}" ]; then
    line conda "active: its compilers and flags are left out of the build, its CUDA toolkit is not"
fi

# The toolkits, each in a line: of the first folder that was configured, else as they would be chosen now.
if command -v cmake >/dev/null; then
    mapfile -t toolkits < <(cmake ${GRIDMARK_CUDA_ROOTS:+"-DGRIDMARK_CUDA_ROOTS=$GRIDMARK_CUDA_ROOTS"} \
        -P cmake/GridmarkNvcc.cmake 2>&1 | sed -n 's/^-- CUDA: //p')
    for toolkit in "${toolkits[@]:0:6}"; do line "CUDA toolkit" "$toolkit"; done
    if [[ "${toolkits[*]-}" != *": taken"* ]]; then
        line "CUDA toolkit" "none that fits: GPU kernels run on the host executor only, and every GPU row is skipped"
        mend "install one (https://developer.nvidia.com/cuda-downloads), then make build"
    fi
fi
if [ -x build/gridmark ]; then
    build/gridmark machine --doctor
else
    line program "not built: what it would find of driver, GPU, CUPTI and profiler, and which claims, it says then"
    mend "make build"
fi
