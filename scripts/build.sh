#!/usr/bin/env bash
# Builds one CMake preset quietly: a line when there is something to do, everything when it fails.
# scripts/build.sh PRESET [TARGET...]   the target of the preset's own if none is named
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/environment.sh
preset=$1
folder=build$([ "$preset" = default ] || echo "-$preset")
log=$folder/build.log
mkdir -p "$folder"
settings=()
if [ "$preset" = portable ]; then
    # Debian 11's compiler and libraries, which ask for an old C library; nothing of it is installed. The headers that it
    # lacks are this machine's. PORTABLE_RELEASE=: this machine's own instead. MIRROR=: where Debian's packages are.
    release=${PORTABLE_RELEASE-bullseye}
    root=$PWD/$folder/root
    unpack=(scripts/unpack.sh "$root" "$(dpkg --print-architecture 2>/dev/null)")
    : >"$log"
    if [ -n "$release" ] && mirror=$(archive debian 2>>"$log") &&
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" \
            >"$folder/sources.list" &&
        SOURCES=$folder/sources.list "${unpack[@]}" g++ libbenchmark-dev libfmt-dev libhdf5-dev \
        libaec-dev zlib1g-dev libboost-context-dev libpapi-dev libhwloc-dev >>"$log" 2>&1 &&
        "${unpack[@]}" alone:nlohmann-json3-dev alone:libvalijson-dev alone:libcli11-dev >>"$log" 2>&1; then
        settings=(-DCMAKE_C_COMPILER="$root/tools/cc" -DCMAKE_CXX_COMPILER="$root/tools/c++"
            -DCMAKE_CUDA_HOST_COMPILER="$root/tools/c++" -DCMAKE_PREFIX_PATH="$root/usr")
    else
        [ -z "$release" ] || cat "$log" >&2
        echo "Without Debian 11's packages: the folder will need this machine's C library or a later one." >&2
    fi
    # CMake keeps the compiler that it was first given.
    before=$(grep -cs "^CMAKE_CXX_COMPILER:.*=$root/" "$folder/CMakeCache.txt" || true)
    [ "${before:-0}" = $((${#settings[@]} > 0)) ] || rm -f "$folder/CMakeCache.txt"
fi
# CMake would say so of itself, but of a presets file that it cannot read.
if ! at_least "$(cmake_version)" $CMAKE_NEEDED; then
    echo "CMake $CMAKE_NEEDED or later is needed, and this is $(cmake_version): scripts/install.sh gets it" >&2
    exit 1
fi
if ! cmake --preset "$preset" "${settings[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
case $preset in
    portable) targets=(portable) ;;
    fuzz) targets=(gridmark_fuzzers) ;;
    *) targets=("${@:2}") ;;
esac
if ! ninja -C "$folder" -n "${targets[@]}" | grep -q 'no work to do'; then
    echo "Building ($preset; a first build takes minutes). Log: $log"
fi
if ! ninja -C "$folder" "${targets[@]}" >>"$log" 2>&1; then
    grep -E -A20 'FAILED|error' "$log" | head -n 60 >&2
    exit 1
fi
[ "$preset" != portable ] || grep -h '^-- portable:' "$log" | sed 's/^-- p/P/'
