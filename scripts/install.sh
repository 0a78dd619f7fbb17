#!/usr/bin/env bash
# Installs what is missing to build and run Gridmark on Debian 12 or 13, or Ubuntu 24.04: system packages through apt,
# Python packages pinned into build/venv. Does nothing when all is there. Who is not root, and cannot become root by sudo
# without a password, gets the packages unpacked into build/root, with commands in build/root/tools that work from there.
# GRIDMARK_INSTALL_TESTS=1 adds what only tests need, GRIDMARK_INSTALL_LINT=1 what linters need, GRIDMARK_INSTALL_TSAN=1
# what ThreadSanitizer needs, GRIDMARK_INSTALL_FUZZ=1 what `make fuzz` needs, GRIDMARK_INSTALL_AARCH64=1 what
# `make check-aarch64` needs, GRIDMARK_INSTALL_CLUSTER=1 ReFrame into build/cluster (`make cluster`), GRIDMARK_INSTALL_SLURM=1
# the daemons of `make check-cluster`. GRIDMARK_INSTALL_SYSTEM=0 leaves out the system packages: they are there by other means.
# GRIDMARK_INSTALL_PYTHON=0 leaves out the Python packages. GRIDMARK_INSTALL_DRY=1 only prints the system packages that are
# missing, and exits with 1 if any are.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/environment.sh
root=$PWD/build/root

privileged() { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }

declare -A why=(
    [g++]="the C++ compiler" [cmake]="the build" [ninja-build]="the build" [git]="provenance"
    [libbenchmark-dev]="Google Benchmark" [libfmt-dev]="formatting" [nlohmann-json3-dev]="JSON"
    [libvalijson-dev]="JSON Schema" [libcli11-dev]="the command line" [libhdf5-dev]="HDF5 fields"
    [libaec-dev]="HDF5's static library" [zlib1g-dev]="HDF5's static library"
    [libboost-context-dev]="the host executor's fibers" [libpapi-dev]="hardware counters"
    [libhwloc-dev]="NUMA nodes, and which the GPU hangs on"
    [liblapack3]="LAPACK's solver beside ours" [libgtest-dev]="tests" [python3-venv]="tables, graphs and the report"
)
packages=(g++ cmake ninja-build git libbenchmark-dev libfmt-dev nlohmann-json3-dev libvalijson-dev libcli11-dev
    libhdf5-dev libaec-dev zlib1g-dev libboost-context-dev libpapi-dev libhwloc-dev liblapack3 libgtest-dev
    python3-venv)
# Ubuntu 22.04's own is 3.10, and it has 3.11 beside it.
if command -v python3 >/dev/null && [ -z "$(new_python)" ]; then
    packages=("${packages[@]/%python3-venv/python$PYTHON_NEEDED-venv}")
    why[python$PYTHON_NEEDED-venv]="tables, graphs and the report; $(python3 --version 2>&1) is too old"
fi
if [ "$(dpkg --print-architecture 2>/dev/null)" = arm64 ]; then
    packages+=(libsimde-dev)
    why[libsimde-dev]="vectors on aarch64"
fi
if [ "${GRIDMARK_INSTALL_TESTS:-0}" = 1 ]; then
    why[libopenmpi-dev]="grids cut among ranks" why[openmpi-bin]="starting ranks"
    if privileged; then packages+=(libopenmpi-dev openmpi-bin); fi
    why[chromium]="the report's browser test"
    # Ubuntu's chromium is a snap, which containers cannot run, and none can be unpacked; its test then says so.
    if grep -qs '^ID=debian' /etc/os-release && privileged; then packages+=(chromium); fi
fi
if [ "${GRIDMARK_INSTALL_LINT:-0}" = 1 ]; then
    packages+=(clang-format clang-tidy)
    why[clang-format]="the linters" why[clang-tidy]="the linters"
fi
if [ "${GRIDMARK_INSTALL_AARCH64:-0}" = 1 ]; then
    packages+=(g++-aarch64-linux-gnu qemu-user-static)
    why[g++-aarch64-linux-gnu]="the aarch64 build" why[qemu-user-static]="running it"
fi
if [ "${GRIDMARK_INSTALL_SLURM:-0}" = 1 ]; then
    packages+=(slurm-wlm munge)
    why[slurm-wlm]="a cluster of one machine" why[munge]="its daemons' trust in each other"
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

installed() {
    local folder
    for folder in /var/lib/dpkg "$root/var/lib/dpkg"; do
        [ "$(dpkg-query --admindir="$folder" -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null)" != "ii " ] || return 0
    done
    return 1
}

# Another version of Boost.Context will do as well, and so will tools that stand on the PATH by other means.
present() {
    case "$1" in
        libboost-context-dev) installed "$1" || compgen -G '/usr/lib/*/libboost_context.a' >/dev/null ;;
        # An older one is made good for below.
        g++ | cmake | git | chromium | clang | clang-format | clang-tidy) command -v "$1" >/dev/null ;;
        ninja-build) command -v ninja >/dev/null ;;
        python3*-venv) "$(new_python)" -c 'import ensurepip, venv' 2>/dev/null ;;
        *) installed "$1" ;;
    esac
}

elsewhere() {
    cat >&2 <<'END'
This machine has no apt, so install what Gridmark needs by other means, then run `make reproduce GRIDMARK_INSTALL_SYSTEM=0`:
a C++20 compiler with OpenMP (g++ 10 or later), CMake 3.25, Ninja, git, Python 3.11 with venv, Google Benchmark, fmt,
nlohmann/json, valijson, CLI11, HDF5 (C), libaec, zlib, Boost.Context, PAPI, hwloc and GoogleTest. Fedora, or RHEL with EPEL
and CRB: dnf install gcc-c++ cmake ninja-build git python3 google-benchmark-devel fmt-devel json-devel valijson-devel
cli11-devel hdf5-devel libaec-devel zlib-devel boost-devel boost-static papi-devel hwloc-devel gtest-devel. openSUSE: zypper
install gcc-c++ cmake ninja git python3 benchmark-devel fmt-devel nlohmann_json-devel cli11-devel hdf5-devel libaec-devel
zlib-devel libboost_context-devel papi-devel hwloc-devel gtest. Spack: spack install cmake ninja benchmark fmt nlohmann-json
valijson cli11 hdf5 libaec zlib boost+context papi hwloc googletest. conda, from conda-forge: conda install cxx-compiler
cmake ninja git python benchmark fmt nlohmann_json cli11 hdf5 libaec zlib libboost-devel libhwloc gtest. What a list lacks
(valijson: headers alone) comes from its own source. Or build nothing: the portable folder that `make portable` makes
elsewhere runs here (docs/hosts.md).
END
}

missing=()
if [ "${GRIDMARK_INSTALL_SYSTEM:-1}" = 0 ]; then packages=(); fi
for package in "${packages[@]}"; do
    if ! present "$package"; then missing+=("$package"); fi
done
if [ "${GRIDMARK_INSTALL_DRY:-0}" = 1 ]; then
    [ ${#missing[@]} = 0 ] || echo "${missing[@]}"
    exit $((${#missing[@]} > 0))
fi
if [ ${#missing[@]} -gt 0 ]; then
    echo "Missing here:"
    for package in "${missing[@]}"; do echo "  $package (${why[$package]})"; done
    if ! command -v apt-get >/dev/null; then
        elsewhere
        exit 1
    fi
    if privileged; then
        as_root=()
        if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
        echo "Installing them with apt."
        "${as_root[@]}" apt-get update -qq
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    else
        if [[ " ${missing[*]} " == *" clang"* || " ${missing[*]} " == *" slurm"* ]]; then
            echo "Not root: linters, ThreadSanitizer, fuzzers and check-cluster need: sudo apt-get install ${missing[*]}" >&2
            exit 1
        fi
        echo "Not root, no sudo without a password: unpacking the packages into build/root (130 MB to fetch, 750 MB there)."
        # All of them, so that compilers and libraries fit each other. valijson's headers are enough without Qt and Poco.
        scripts/unpack.sh "$root" "$(dpkg --print-architecture)" "${packages[@]/#libvalijson/alone:libvalijson}"
    fi
fi

# The pinned Python packages; renewed when the list changes.
venv=build/venv
if [ "${GRIDMARK_INSTALL_PYTHON:-1}" != 0 ] && ! cmp -s plots/requirements.txt "$venv/requirements.txt"; then
    echo "Installing pinned Python packages into $venv."
    pip=("$venv/bin/python" -m pip)
    python=$(new_python)
    if [ -z "$python" ]; then
        echo "Python $PYTHON_NEEDED or later is needed, and this is $(python3 --version 2>&1): install one as python3.11 or later" >&2
        exit 1
    fi
    if [ -e "$root/tools/python3" ]; then
        # ensurepip looks for its wheel in /usr/share. The command stays a link's stand-in: it names its libraries' folder.
        "$python" -m venv --clear --without-pip "$venv"
        ln -sf "$root/tools/python3" "$venv/bin/python"
        pip=(env PYTHONPATH="$(compgen -G "$root/usr/share/python-wheels/pip-*.whl")" "${pip[@]}")
    else
        "$python" -m venv --clear "$venv"
    fi
    "${pip[@]}" install --quiet --disable-pip-version-check -r plots/requirements.txt
    cp plots/requirements.txt "$venv/requirements.txt"
fi

# CMake's own wheel, where the system's is too old (Ubuntu 22.04).
if [ "${GRIDMARK_INSTALL_PYTHON:-1}" != 0 ] && ! at_least "$(cmake_version)" $CMAKE_NEEDED; then
    echo "CMake $(cmake_version) is older than $CMAKE_NEEDED: installing a newer one into build/tools."
    build/venv/bin/python -m pip install --quiet --disable-pip-version-check cmake==3.31.6
    mkdir -p build/tools
    ln -sf ../venv/bin/cmake ../venv/bin/ctest build/tools/
fi

# ReFrame, by itself: neither the program nor the report needs it.
if [ "${GRIDMARK_INSTALL_CLUSTER:-0}" = 1 ] && ! cmp -s cluster/requirements.txt build/cluster/requirements.txt; then
    echo "Installing ReFrame into build/cluster."
    "$(new_python)" -m venv --clear build/cluster
    build/cluster/bin/python -m pip install --quiet --disable-pip-version-check -r cluster/requirements.txt
    cp cluster/requirements.txt build/cluster/requirements.txt
fi
