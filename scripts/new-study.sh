#!/usr/bin/env bash
# Starts a study: kernels/ID, experiments/ID and tests/ID as copies of examples/study, with ID in place of its name.
# scripts/new-study.sh ID [FOLDER]    FOLDER: where kernels/ and the others lie; the repository's root if not given.
# Refuses with one line and exit code 2; nothing is written then.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
example=$root/examples/study
name=diffusion

refuse() {
    echo "new-study: $1" >&2
    exit 2
}

[ $# -eq 1 ] || [ $# -eq 2 ] || refuse "scripts/new-study.sh ID [FOLDER]: which id shall the study have?"
id=$1
to=${2:-$root}
[[ $id =~ ^[a-z][a-z0-9_]*$ ]] || refuse "'$id': an id has lower-case letters, digits and _, a letter first"
for part in kernels experiments tests; do
    [ ! -e "$to/$part/$id" ] || refuse "$part/$id is there already"
done
# The id becomes a namespace: a keyword cannot be one, and another namespace of that name would be hidden.
g++ -fsyntax-only -x c++ - <<<"namespace gridmark::$id {}" 2>/dev/null || refuse "'$id' is a word of C++"
if grep -rqE "\b$id::|namespace ([a-z_]+::)*$id\b" "$root"/{kernels,harness,tests,cmake,examples}; then
    refuse "'$id' is the name of a namespace already"
fi

(cd "$example" && find . -type f -printf '%P\n') | while read -r file; do
    copy=$to/${file//$name/$id}
    mkdir -p "$(dirname "$copy")"
    sed "s/$name/$id/g" "$example/$file" >"$copy"
done
# Another id makes other line breaks and another order of includes.
if command -v clang-format >/dev/null; then
    find "$to"/{kernels,experiments,tests}/"$id" -regex '.*\.[chu]+p*' -exec \
        clang-format -i --style=file:"$root/.clang-format" {} +
fi
echo "kernels/$id, experiments/$id and tests/$id are a study that works; docs/add-a-study.md says how to make it yours"
