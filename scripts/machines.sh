#!/usr/bin/env bash
# The folders of measured results, one a line: those that come with the project, then the one given (if it holds any).
set -euo pipefail
cd "$(dirname "$0")/.."
own=${1:-results/local}
for folder in results/*/; do
    folder=${folder%/}
    if [ "$folder" != "$own" ] && compgen -G "$folder/*.json" >/dev/null && git ls-files --error-unmatch "$folder" >/dev/null 2>&1; then
        echo "$folder"
    fi
done
if compgen -G "$own/*.json" >/dev/null; then echo "$own"; fi
