# Sourced by the scripts that install, build and draw: what the user's shell holds for other programs
# than ours goes, and our own commands come first on the PATH. What says how to reach a network stays (proxies, pip's
# index and certificates), and so do CC, CXX, CUDACXX, CUDAARCHS and flags that the user chose.

# Options of pip, and places of other Pythons' packages.
for name in $(compgen -e); do
    case $name in
        PIP_*INDEX* | PIP_FIND_LINKS | PIP_PROXY | PIP_*CERT | PIP_TRUSTED_HOST | PIP_*TIMEOUT | PIP_RETRIES) ;;
        PIP_CONFIG_FILE | PIP_CACHE_DIR | PIP_NO_CACHE_DIR) ;;
        PYTHONUNBUFFERED | PYTHONDONTWRITEBYTECODE | PYTHONPYCACHEPREFIX) ;;
        PIP_* | PYTHON* | VIRTUAL_ENV*) unset "$name" ;;
    esac
done
export PIP_USER=0  # also where a pip.conf says otherwise

# conda's compilers, flags and CMake do not fit the system's libraries, which the build takes. Its CUDA toolkit does: that is
# sought in CONDA_PREFIX. Where the system's packages are not ours to install, all may come from conda.
if [ -n "${CONDA_PREFIX:-}" ] && [ "${GRIDMARK_INSTALL_SYSTEM:-1}" != 0 ]; then
    for name in $(compgen -e); do
        case $name in
            CONDA_PREFIX* | CUDA_HOME | CUDA_PATH | CUDACXX) continue ;;
            PATH | PWD | OLDPWD | HOME) continue ;;
        esac
        case ${!name} in *"$CONDA_PREFIX"* | *-conda-*) unset "$name" ;; esac
    done
    without=
    IFS=: read -r -a folders <<<"$PATH"
    for folder in "${folders[@]}"; do
        case $folder/ in "$CONDA_PREFIX"/* | "${CONDA_PREFIX_1:-$CONDA_PREFIX}"/*) ;; *) without+=:$folder ;; esac
    done
    PATH=${without#:}
fi

# build/root: what scripts/install.sh unpacked for a user without root; build/tools: a CMake that the system lacks.
project=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
PATH=$project/build/tools:$project/build/root/tools:$PATH

# at_least 3.22.1 3.25: whether the first version is the second one or a later one.
at_least() {
    local -a is wanted
    local part
    IFS=. read -r -a is <<<"$1"
    IFS=. read -r -a wanted <<<"$2"
    for part in "${!wanted[@]}"; do
        [ "${is[part]:-0}" -eq "${wanted[part]}" ] 2>/dev/null || break
    done
    [ "${is[part]:-0}" -ge "${wanted[part]}" ] 2>/dev/null
}

# "3.22.1" of the CMake on the PATH; "none" without one.
cmake_version() {
    local said
    said=$(cmake --version 2>/dev/null) || said=
    if [[ $said =~ [0-9]+\.[0-9.]+ ]]; then echo "${BASH_REMATCH[0]}"; else echo none; fi
}
CMAKE_NEEDED=3.25

# The newest Python that the pinned packages work on; nothing without one.
PYTHON_NEEDED=3.11
new_python() {
    local name version
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        version=$("$name" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        if at_least "$version" $PYTHON_NEEDED; then echo "$name" && return; fi
    done
}

# archive debian|ubuntu: where this machine's apt takes that distribution's own packages from (MIRROR= otherwise).
archive() {
    local id codename site=${MIRROR:-}
    read -r id codename < <(. /etc/os-release 2>/dev/null; echo "${ID:-none}" "${VERSION_CODENAME:-}")
    if [ -z "$site" ] && [ "$id" = "$1" ]; then
        # The archive has the suite with its updates, security fixes may have an archive of their own.
        site=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(SITE)' 'Created-By: Packages' 2>/dev/null |
            awk -v suite="$codename" '$1 == suite && $2 == "main" { print $3; exit }')
    fi
    [ -n "$site" ] && echo "$site" && return
    echo "this machine's apt has no archive of $1: name one by MIRROR=" >&2
    return 1
}
