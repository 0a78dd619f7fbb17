#!/usr/bin/env bash
# The aarch64 build and its tests, on an x86-64 Debian: cross-compiled, run by qemu-user. Times there are qemu's, so that
# what a run leaves must be refused as a measurement. Needs root once, to tell the kernel which program runs aarch64's.
# scripts/check-aarch64.sh [build|tests|commands|runs|cuda]...   all if none is named; the last line counts what failed
set -euo pipefail
cd "$(dirname "$0")/.."
build=build-aarch64
root=$PWD/$build/root
handler=/proc/sys/fs/binfmt_misc/qemu-aarch64
libraries=(libc6-dev libstdc++-12-dev libgomp1 libbenchmark-dev libfmt-dev alone:nlohmann-json3-dev alone:libvalijson-dev
    libcli11-dev libhdf5-dev libaec-dev zlib1g-dev libboost-context-dev libpapi-dev libhwloc-dev libgtest-dev libsimde-dev)
# Not under emulation: the studies' plans at full size, what starts hundreds of runs, and a row of each kind solved. The
# longest first, for two run beside each other.
programs=(gridmark_{maxwell,pyramid,heat,jacobi,ginzburg_landau}_tests gridmark_machine_tests
    gridmark_{launch,run,verdicts,statistics,results,ginzburg_landau_operations,heat_operations}_tests)
commands=(tests/cli/test_{bad_input,check,solve}.py)
studies=(pyramid heat ginzburg_landau maxwell jacobi)  # the longest first
steps=("$@")
[ $# -gt 0 ] || steps=(build tests commands runs cuda)

for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
    command -v "$tool" >/dev/null ||
        { echo "check-aarch64 needs $tool: apt-get install g++-aarch64-linux-gnu qemu-user-static" >&2; exit 2; }
done
if [ ! -e "$handler" ]; then
    [ "$(id -u)" = 0 ] || { echo "check-aarch64 needs root once, to register qemu with the kernel (binfmt_misc)" >&2; exit 2; }
    [ -e "${handler%/*}/register" ] || mount -t binfmt_misc binfmt_misc "${handler%/*}"
    # The head of an aarch64 program; O, C, F: qemu is opened now, and gets the file and the caller's rights.
    printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:' \
        '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:' \
        "$(command -v qemu-aarch64-static):OCF" >"${handler%/*}/register"
fi
export QEMU_LD_PREFIX=$root OMP_WAIT_POLICY=passive GRIDMARK=$PWD/$build/gridmark
mkdir -p "$build/logs"
failed=0 running=0

# named NAME COMMAND...: one line with the time that it took; its output is kept, and shown where it fails.
named() {
    local name=$1 start=$SECONDS log=$build/logs/$1.log word=ok
    shift
    "$@" >"$log" 2>&1 || { word=FAILED; tail -n 30 "$log"; }
    printf '%-44s %s %d:%02d\n' "$name" "$word" $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60))
    [ "$word" = ok ]
}

# The same beside one other at most; `finish` waits for those that are left.
beside() {
    if [ "$running" = 2 ]; then finish_one; fi
    named "$@" &
    running=$((running + 1))
}
finish_one() {
    wait -n || failed=$((failed + 1))
    running=$((running - 1))
}
finish() { while [ "$running" -gt 0 ]; do finish_one; done; }

program_passes() {
    # No limit on the address space holds: qemu is in it, too. Long runs take quarters of an hour. What the scheme
    # converges to depends on no processor.
    local but="AddressSpaceDeathTest.*:*LongRun*:Plate.*SecondOrder:Scheme.Is*:Scheme.ConservesHeat"
    # Here one of the four orders of blocks suffices, except where orders are what is tested.
    [ "$1" = gridmark_launch_tests ] || but+=":*/forward:*/reverse:*/other_random"
    "$build/$1" --gtest_brief=1 "--gtest_filter=-$but"
}

# A quick run verifies every row that needs no GPU, and is then refused as a measurement. Without the largest sizes of jacobi
# and heat, where some rows take more than five minutes under emulation, and some of the pyramid's many heights.
emulated_run() {
    local folder=$build/results/$1 rows=()
    case $1 in
        jacobi) rows=(--filter /512x256/) ;;
        heat) rows=(--filter '/(32x32x32|64x64x64|128x128x128)/') ;;
        pyramid) rows=(--filter '/(in_memory|medium|box|error|tolerance|padding|h_4)/') ;;
    esac
    rm -rf "$folder"
    "$GRIDMARK" run "$1" --preset quick --threads 2 "${rows[@]}" --out "$folder" || return
    # What a paper calls SSE is no other processor's.
    [ "$1" != heat ] || grep -q "an instruction set of x86-64; this CPU is an aarch64" "$folder/heat.json" || return
    if "$GRIDMARK" check "$folder"; then return 1; fi 2>"$folder.refused"
    grep -q "its processor was emulated: these times are no measurements" "$folder.refused"
}

# The kernels' files by nvcc for an aarch64 host: objects alone, for CUDA's aarch64 libraries are not at hand. The GPU's
# code is the same on any host: PTX suffices, and to make no instructions of it halves the time.
cuda_objects() {
    local toolkit
    toolkit=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
    mkdir -p "$build/cuda"
    find kernels -name '*.cu' | xargs -d '\n' -P 2 -I {} sh -c 'nvcc -ccbin aarch64-linux-gnu-g++ \
        -Xcompiler --sysroot="$1" -I"$2/include" -I"$2/include/cccl" -I. -std=c++20 -O1 --expt-relaxed-constexpr \
        -gencode arch=compute_90,code=compute_90 -DGRIDMARK_HAS_CUDA=1 -c "$3" -o "$4/$(echo "$3" | tr / -).o"' _ "$root" "$toolkit" {} "$build/cuda" || return
    local object
    for object in "$build"/cuda/*.o; do readelf -h "$object" | grep -q AArch64 || return; done
}

for step in "${steps[@]}"; do
    case $step in
        build)
            named packages scripts/unpack.sh "$root" arm64 "${libraries[@]}" || exit
            named build scripts/build.sh aarch64 gridmark "${programs[@]}" || exit
            ;;
        tests)
            for program in "${programs[@]}"; do beside "$program" program_passes "$program"; done
            finish
            ;;
        commands)
            named "command line" scripts/python -m pytest -q -n 2 \
                -k "not row_is_solved" "${commands[@]}" ||
                failed=$((failed + 1))
            ;;
        runs)
            for study in "${studies[@]}"; do beside "run $study" emulated_run "$study"; done
            finish
            ;;
        cuda)
            if command -v nvcc >/dev/null; then
                named "CUDA kernels, compiled" cuda_objects || failed=$((failed + 1))
            fi
            ;;
        *) echo "check-aarch64: $step: build, tests, commands, runs and cuda are known" >&2; exit 2 ;;
    esac
done
echo "aarch64 under emulation: $failed failed, in $((SECONDS / 60)):$(printf %02d $((SECONDS % 60)))"
[ "$failed" = 0 ]
