#!/usr/bin/env bash
# Measures, then draws: scripts/run.sh FOLDER [arguments of `gridmark run`], results into FOLDER, the report into report/.
# The end holds them against the reference. The exit code is that of measuring; where rows failed (1), what there is
# is drawn all the same.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
shift
# Seconds on two cores, for the forecast: the fields that figures draw are solved the first time only.
drawing=20
[ -d build/fields ] || drawing=35
against=()
[ ! -d results/nvidia-h100 ] || against=(--against results/nvidia-h100)
code=0
build/gridmark run "$@" --out "$out" --afterwards "$drawing" "${against[@]}" || code=$?
[ $code -le 1 ] || exit $code
scripts/report.sh "$out"
exit $code
