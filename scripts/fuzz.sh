#!/usr/bin/env bash
# Fuzzes what takes bad input: scripts/fuzz.sh [results|commandline|hdf5...], all three by default, for SECONDS each.
# Begins with the kept corpus; what fails is kept in tests/fuzz/found/<target>. MINIMISE=1 fuzzes nothing: it packs into
# tests/fuzz/corpus/<target>.tar.gz the fewest inputs that together reach every edge which all of them reach, those of
# earlier runs (build-fuzz/corpus) included.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${SECONDS_EACH:-1800}
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(results commandline hdf5)
for target in "${targets[@]}"; do
    case $target in
        results | commandline) with_clang=1 ;;
        hdf5) ;;
        *)
            echo "make fuzz ONLY=$target: there are results, commandline and hdf5" >&2
            exit 2
            ;;
    esac
done
if [ -n "${with_clang:-}" ]; then
    GRIDMARK_INSTALL_FUZZ=1 scripts/install.sh
    scripts/build.sh fuzz
fi

# Unpacks the kept corpus of a target into build-fuzz/kept/<target>.
unpack() {
    rm -rf "build-fuzz/kept/$1"
    mkdir -p "build-fuzz/kept/$1"
    tar -C "build-fuzz/kept/$1" -xzf "tests/fuzz/corpus/$1.tar.gz"
}

# The same inputs give the same bytes.
pack() {
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$1" -cf - . | gzip -9n >"$2"
}

# The command line's words: options, keys and values as listed, and every study's variants.
words() {
    cat tests/fuzz/commandline.dict
    python3 -c 'import glob, json
for study in sorted(glob.glob("experiments/*/study.json")):
    for variant in json.load(open(study, encoding="utf-8"))["variants"]:
        print(f"\"{variant}\"")'
}

# Ends with one line: executions, seconds, edges of the code that were reached, failures.
libfuzzer() {
    local target=$1 work=build-fuzz/corpus/$1 found=tests/fuzz/found/$1 log=build-fuzz/$1.log
    local options=(-max_total_time="$seconds" -max_len=12000 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1)
    mkdir -p "$work" "$found"
    if [ "$target" = commandline ]; then
        words >build-fuzz/commandline.dict
        options+=(-dict="$PWD/build-fuzz/commandline.dict")
    fi
    unpack "$target"
    local failed=0
    build-fuzz/gridmark_fuzz_"$target" "${options[@]}" -artifact_prefix="$PWD/$found/" \
        "$PWD/$work" "$PWD/build-fuzz/kept/$target" >"$log" 2>&1 || failed=1
    local runs reached all
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    reached=$(grep -ao 'cov: [0-9]*' "$log" | tail -n 1 | cut -d' ' -f2)
    all=$(sed -n 's/.*Loaded 1 PC tables (\([0-9]*\) PCs).*/\1/p' "$log")
    echo "$target: ${runs:-?} executions in $seconds s, $reached of $all edges reached, $failed failures"
    [ $failed = 0 ] || tail -n 20 "$log"
    rmdir --ignore-fail-on-non-empty "$found"
    return $failed
}

# Ends with one line: inputs and edges before and after.
minimise() {
    local target=$1 kept=build-fuzz/kept/$1 small=build-fuzz/small/$1 log=build-fuzz/$1-minimise.log
    local program=$PWD/build-fuzz/gridmark_fuzz_$target  # it changes the folder, and starts itself
    # Without counters an edge counts once, however often an input passes it.
    local options=(-use_counters=0 -max_len=12000 -rss_limit_mb=2048)
    reached() { "$program" "${options[@]}" -runs=0 "$PWD/$1" 2>&1 | sed -n 's/.*INITED *cov: \([0-9]*\).*/\1/p'; }
    rm -rf "$small"
    mkdir -p "$small"
    unpack "$target"
    [ ! -d "build-fuzz/corpus/$target" ] || cp -nr "build-fuzz/corpus/$target/." "$kept/"
    "$program" "${options[@]}" -set_cover_merge=1 "$PWD/$small" "$PWD/$kept" >"$log" 2>&1 || { tail -n 20 "$log"; return 1; }
    local files edges left
    files=$(find "$kept" -type f | wc -l)
    edges=$(reached "$kept")
    left=$(reached "$small")
    echo "$target: $files inputs reach ${edges:-?} edges, $(find "$small" -type f | wc -l) of them ${left:-?}"
    # From run to run the same inputs reach some edges more or fewer: less than 0.3 %.
    [ "$((${left:-0} * 1000))" -ge "$((${edges:?} * 997))" ] || return 1
    pack "$small" "tests/fuzz/corpus/$target.tar.gz"
}

code=0
for target in "${targets[@]}"; do
    if [ "${MINIMISE:-0}" = 1 ]; then
        [ "$target" = hdf5 ] || minimise "$target" || code=1
    elif [ "$target" = hdf5 ]; then
        scripts/python tests/fuzz/hdf5.py build/gridmark "$seconds" || code=1
    else
        libfuzzer "$target" || code=1
    fi
done
exit $code
