#!/usr/bin/env bash
# Builds the last commit twice, each time from a fresh clone at the same place (nvcc writes paths into its objects), and
# compares the stripped programs byte by byte. Exit code 1 if they differ.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build-reproducible
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER CMAKE_CUDA_COMPILER_LAUNCHER
rm -rf "$folder"
mkdir "$folder"
for build in first second; do
    rm -rf "$folder/tree"
    git clone --quiet . "$folder/tree"
    (cd "$folder/tree" && cmake --preset default -DGRIDMARK_TESTS=OFF && ninja -C build gridmark) >"$folder/$build.log" 2>&1 ||
        { tail -n 20 "$folder/$build.log" >&2; exit 1; }
    strip --strip-unneeded "$folder/tree/build/gridmark" -o "$folder/gridmark-$build"
done
rm -rf "$folder/tree"
sha256sum "$folder"/gridmark-*
if cmp "$folder/gridmark-first" "$folder/gridmark-second"; then
    echo "reproducible: two builds of commit $(git rev-parse --short HEAD) give the same program"
else
    echo "reproducible: two builds of one commit differ" >&2
    exit 1
fi
