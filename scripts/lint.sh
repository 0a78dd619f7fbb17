#!/usr/bin/env bash
# The linters of CI: clang-format, clang-tidy (kernels through their host-executor files: clang-tidy 14 cannot read
# CUDA 13's headers), ruff.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format --dry-run --Werror
build/venv/bin/ruff check plots tests scripts
build/venv/bin/ruff format --check plots tests scripts
git ls-files 'kernels/*.cpp' 'harness/*.cpp' 'experiments/*.cpp' |
    xargs -P "$(nproc)" -n 4 clang-tidy -p build --quiet 2>/dev/null
