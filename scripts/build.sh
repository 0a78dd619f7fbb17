#!/usr/bin/env bash
# Builds one CMake preset quietly: a line when there is something to do, everything when it fails.
# scripts/build.sh PRESET [TARGET]   the target of the preset's own if none is named
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
folder=build$([ "$preset" = default ] || echo "-$preset")
log=$folder/build.log
mkdir -p "$folder"
if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
case $preset in
    portable) target=portable ;;
    fuzz) target=gridmark_fuzzers ;;
    *) target=${2:-all} ;;
esac
if ! ninja -C "$folder" -n "$target" | grep -q 'no work to do'; then
    echo "Building ($preset; a first build takes minutes). Log: $log"
fi
if ! ninja -C "$folder" "$target" >>"$log" 2>&1; then
    grep -E -A20 'FAILED|error' "$log" | head -n 60 >&2
    exit 1
fi
[ "$preset" != portable ] || echo "Portable folder: $folder/gridmark-portable"
