#!/usr/bin/env bash
# Tables, graphs and report/index.html from saved results: those that come with the project and those in the folder
# given (if it holds any). Measures nothing. Fields that figures draw are solved once and kept in build/fields. The last
# line is the report's path; the files are listed in build/report.log.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t machines < <(scripts/python scripts/machines.py "${1:-results/local}")
plots() { scripts/python -m gridmark_plots "$@" --gridmark build/gridmark >>build/report.log; }
start=$SECONDS
mkdir -p build/fields
: >build/report.log
echo "Solving the fields that figures show, once, and drawing the report."
plots fields --out build/fields
plots report --results results --machines "${machines[@]}" --fields build/fields --out report
took=$((SECONDS - start))
printf 'Drawn in %d:%02d; %d files, listed in build/report.log\n' $((took / 60)) $((took % 60)) "$(wc -l <build/report.log)"
echo "Report: $PWD/report/index.html"
