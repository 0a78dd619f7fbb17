#!/usr/bin/env bash
# Tables, graphs and report/index.html from saved results: those that come with the project and those in the folder
# given (if it holds any). Measures nothing. Fields that figures draw are solved once and kept in build/fields.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t machines < <(scripts/machines.sh "${1:-results/local}")
mkdir -p build/fields
PYTHONPATH=plots build/venv/bin/python -m gridmark_plots fields --gridmark build/gridmark --out build/fields
PYTHONPATH=plots build/venv/bin/python -m gridmark_plots report --gridmark build/gridmark --results results \
    --machines "${machines[@]}" --fields build/fields --out report
