#!/usr/bin/env bash
# Measures, then draws: scripts/run.sh FOLDER [arguments of `gridmark run`], results into FOLDER, the report into report/.
# The end holds them against the reference. The exit code is that of measuring; where rows failed (1), what there is
# is drawn all the same.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
shift
# The forecast's seconds of drawing, read off hosts of 2 and 16 CPUs: each CPU draws, after what one does alone. The fields
# that some figures show are solved the first time only.
cpus=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
drawing=$((14 + 60 / cpus))
[ -d build/fields ] || drawing=$((drawing + 5 + 30 / cpus))
against=()
[ ! -d results/nvidia-h100 ] || against=(--against results/nvidia-h100)
code=0
build/gridmark run "$@" --out "$out" --afterwards "$drawing" "${against[@]}" || code=$?
[ $code -le 1 ] || exit $code
scripts/report.sh "$out"
exit $code
