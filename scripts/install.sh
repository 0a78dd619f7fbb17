#!/usr/bin/env bash
# Installs what is missing to build and run Gridmark on Debian 12 or 13, or Ubuntu 24.04: system packages through apt (with
# sudo where not root), Python packages pinned into build/venv. Does nothing when all is there.
# GRIDMARK_INSTALL_TESTS=1 adds what only tests need, GRIDMARK_INSTALL_LINT=1 what linters need, GRIDMARK_INSTALL_TSAN=1
# what ThreadSanitizer needs, GRIDMARK_INSTALL_FUZZ=1 what `make fuzz` needs, GRIDMARK_INSTALL_AARCH64=1 what
# `make check-aarch64` needs.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A why=(
    [g++]="the C++ compiler" [cmake]="the build" [ninja-build]="the build" [git]="provenance"
    [libbenchmark-dev]="Google Benchmark" [libfmt-dev]="formatting" [nlohmann-json3-dev]="JSON"
    [libvalijson-dev]="JSON Schema" [libcli11-dev]="the command line" [libhdf5-dev]="HDF5 fields"
    [libaec-dev]="HDF5's static library" [zlib1g-dev]="HDF5's static library"
    [libboost-context-dev]="the host executor's fibers" [libpapi-dev]="hardware counters"
    [libhwloc-dev]="NUMA nodes, and which the GPU hangs on"
    [libgtest-dev]="tests" [python3-venv]="tables, graphs and the report"
)
packages=(g++ cmake ninja-build git libbenchmark-dev libfmt-dev nlohmann-json3-dev libvalijson-dev libcli11-dev
    libhdf5-dev libaec-dev zlib1g-dev libboost-context-dev libpapi-dev libhwloc-dev libgtest-dev python3-venv)
if [ "$(dpkg --print-architecture 2>/dev/null)" = arm64 ]; then
    packages+=(libsimde-dev)
    why[libsimde-dev]="vectors on aarch64"
fi
if [ "${GRIDMARK_INSTALL_TESTS:-0}" = 1 ]; then
    packages+=(chromium)
    why[chromium]="the report's browser test"
    # Ubuntu's chromium is a snap, which containers cannot run; its test then says so.
    if ! grep -qs '^ID=debian' /etc/os-release; then packages=("${packages[@]/chromium/}"); fi
fi
if [ "${GRIDMARK_INSTALL_LINT:-0}" = 1 ]; then
    packages+=(clang-format clang-tidy)
    why[clang-format]="the linters" why[clang-tidy]="the linters"
fi
if [ "${GRIDMARK_INSTALL_AARCH64:-0}" = 1 ]; then
    packages+=(g++-aarch64-linux-gnu qemu-user-static)
    why[g++-aarch64-linux-gnu]="the aarch64 build" why[qemu-user-static]="running it"
fi
if [ "${GRIDMARK_INSTALL_TSAN:-0}" = 1 ]; then
    # g++'s libgomp does not tell ThreadSanitizer what it orders; LLVM's libomp does.
    packages+=(clang libomp-dev)
    why[clang]="ThreadSanitizer" why[libomp-dev]="ThreadSanitizer"
fi
if [ "${GRIDMARK_INSTALL_FUZZ:-0}" = 1 ]; then
    # libFuzzer is clang's, whose OpenMP is a package of its own.
    packages+=(clang libclang-rt-dev libomp-dev)
    why[clang]="fuzzing" why[libclang-rt-dev]="libFuzzer and the sanitizers" why[libomp-dev]="OpenMP of clang"
fi

installed() { [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null)" = "ii " ]; }

# Another version of Boost.Context will do as well, and so will tools that stand on the PATH by other means.
present() {
    case "$1" in
        libboost-context-dev) installed "$1" || compgen -G '/usr/lib/*/libboost_context.a' >/dev/null ;;
        g++ | cmake | git | chromium | clang | clang-format | clang-tidy) command -v "$1" >/dev/null ;;
        ninja-build) command -v ninja >/dev/null ;;
        python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
        *) installed "$1" ;;
    esac
}

missing=()
for package in "${packages[@]}"; do
    if [ -n "$package" ] && ! present "$package"; then missing+=("$package"); fi
done
if [ ${#missing[@]} -gt 0 ]; then
    echo "Missing here:"
    for package in "${missing[@]}"; do echo "  $package (${why[$package]})"; done
    if ! command -v apt-get >/dev/null; then
        echo "This machine has no apt: install the equivalents of the packages above, then try again." >&2
        exit 1
    fi
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "Not root, and no sudo: install them by hand." >&2; exit 1; }
        as_root=(sudo)
    fi
    echo "Installing them with apt."
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The pinned Python packages; renewed when the list changes.
venv=build/venv
if ! cmp -s plots/requirements.txt "$venv/requirements.txt"; then
    echo "Installing pinned Python packages into $venv."
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r plots/requirements.txt
    cp plots/requirements.txt "$venv/requirements.txt"
fi
