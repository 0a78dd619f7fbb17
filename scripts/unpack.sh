#!/usr/bin/env bash
# Unpacks Debian packages, with all that they depend on, into a folder: for users without root, and for other architectures.
# scripts/unpack.sh FOLDER ARCH PACKAGE...   ARCH: amd64, arm64, ... as dpkg names it
# alone:PACKAGE leaves out what the package depends on (a header library may ask for all that it can work with).
# SOURCES=file: a sources.list to take in place of the system's, such as an older release's.
# apt chooses, downloads and verifies, by the system's own keys; its state stays inside FOLDER. No package's scripts are
# run. For this machine's own architecture FOLDER/tools holds commands that work from there. Packages that
# FOLDER/var/lib/dpkg/status names are not unpacked again. It is written last: without it a folder is incomplete.
set -euo pipefail
shopt -s extglob nullglob
[ $# -ge 3 ] || { echo "scripts/unpack.sh FOLDER ARCH PACKAGE..." >&2; exit 2; }
for tool in apt-get dpkg-deb flock; do
    command -v "$tool" >/dev/null || { echo "scripts/unpack.sh needs $tool, which is not on the PATH" >&2; exit 2; }
done
folder=$(realpath -m "$1")
architecture=$2
packages=() alone=()
for package in "${@:3}"; do
    case $package in alone:*) alone+=("${package#alone:}") ;; *) packages+=("$package") ;; esac
done
status=$folder/var/lib/dpkg/status

# Whether the packages are among those of a list.
present() {
    awk -v RS= -v architecture="$architecture" -v asked="${packages[*]} ${alone[*]}" '
        { name = place = ""
          for (i = 1; i < NF; i++) { if ($i == "Package:") name = name ? name : $(i + 1)
                                     if ($i == "Architecture:") place = place ? place : $(i + 1) }
          if (place == architecture || place == "all") there[name] }
        END { split(asked, names, " "); for (i in names) if (!(names[i] in there)) exit 1 }' "$1"
}

mkdir -p "$folder"
exec 9>"$folder.lock"
flock 9
if [ -s "$status" ] && present "$status"; then exit 0; fi

# Where /lib is a part of /usr, packages that still name it must not make it a folder.
for alias in bin sbin lib lib64; do
    mkdir -p "$folder/usr/$alias"
    [ -L "$folder/$alias" ] || ln -s "usr/$alias" "$folder/$alias"
done
state=$folder/var/lib/apt
cache=$folder/var/cache/apt
new=$folder/var/lib/dpkg/status.new
rm -rf "$state" "$cache"
mkdir -p "$state/lists/partial" "$cache/archives/partial" "${status%/*}"
settled=$status
if [ ! -s "$status" ]; then settled=$folder/var/lib/dpkg/none && : >"$settled"; fi

# Ubuntu keeps all but amd64 and i386 on another server.
sources=${SOURCES:-}
if [ -z "$sources" ] && grep -qs '^ID=ubuntu' /etc/os-release && [[ $architecture != amd64 && $architecture != i386 ]]; then
    sources=$state/sources.list
    . /etc/os-release
    for suite in "$VERSION_CODENAME" "$VERSION_CODENAME-updates" "$VERSION_CODENAME-security"; do
        echo "deb http://ports.ubuntu.com/ubuntu-ports $suite main universe"
    done >"$sources"
fi
# The system's settings hold (proxies, keys), but no command that the system runs after apt's.
settings=$state/settings
{
    echo "#clear APT::Update::Pre-Invoke; #clear APT::Update::Post-Invoke; #clear APT::Update::Post-Invoke-Success;"
    echo "#clear APT::Architectures; #clear DPkg::Pre-Install-Pkgs; #clear DPkg::Post-Invoke;"
    echo "APT::Architecture \"$architecture\"; APT::Architectures { \"$architecture\"; };"
    echo "Dir::State \"$state\"; Dir::State::status \"$settled\"; Dir::Cache \"$cache\"; Dir::Log \"$state\";"
    echo "APT::Install-Recommends \"false\"; APT::Get::AllowUnauthenticated \"false\"; Acquire::Languages \"none\";"
    echo "APT::Sandbox::User \"root\";"  # the folder need not be readable by apt's own user
    echo "Acquire::AllowInsecureRepositories \"false\"; Acquire::Retries \"3\"; Acquire::GzipIndexes \"true\";"
    if [ -n "$sources" ]; then
        echo "Dir::Etc::sourcelist \"$(realpath "$sources")\"; Dir::Etc::sourceparts \"-\";"
    fi
} >"$settings"
apt=(apt-get -c "$settings" -qq)
download() {
    "${apt[@]}" update &&
        { [ ${#packages[@]} = 0 ] || "${apt[@]}" install --download-only --yes "${packages[@]}"; } &&
        { [ ${#alone[@]} = 0 ] || (cd "$cache/archives" && "${apt[@]}" download "${alone[@]}"); }
}
if ! download >"$state/download.log"; then
    echo "Packages for $architecture could not be downloaded (apt's reason is above); $folder is as it was." >&2
    exit 1
fi

archives=("$cache"/archives/*.deb)
for archive in "${archives[@]}"; do
    dpkg-deb --fsys-tarfile "$archive" | tar -x -C "$folder" --keep-directory-symlink --no-same-owner --no-same-permissions \
        --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' --exclude='./dev/*'
done
# A link to /lib/... is one to this folder's, and what update-alternatives would have linked is what the package names.
find "$folder" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    target=$(readlink "$link")
    if [ -e "$folder$target" ] || [ -L "$folder$target" ]; then ln -sfn --relative "$folder$target" "$link"; fi
done
# CMake's files may name a library by its full path.
find "$folder/usr/lib" -name '*.cmake' -exec sed -i -E \
    "s#([;\"])(/usr/lib/[a-z0-9_]+-linux-gnu/[^;\"]*\.(so|a))([;\"])#\1$folder\2\4#g" {} +
for archive in "${archives[@]}"; do
    dpkg-deb --ctrl-tarfile "$archive" | tar -xO ./postinst 2>/dev/null | tr '\t' ' ' |
        sed -e ':a' -e '/\\$/{N;s/\\\n/ /;ba}' |
        grep -E '^[^#]*update-alternatives.* --install ' || true
done | { grep -oE -- '--(install|slave) +/[^ $]+ +[^ $]+ +/[^ $]+' || true; } | while read -r _ link _ target; do
    if [ -e "$folder$target" ] && [ ! -e "$folder$link" ]; then
        mkdir -p "$(dirname "$folder$link")"
        ln -sfn --relative "$folder$target" "$folder$link"
    fi
done

# Commands in FOLDER/tools by which its compilers, CMake, Python and so on work from there. Each finds its libraries in
# FOLDER/runtime, where the C library is left out: it belongs to another loader than the machine's. The compilers see FOLDER
# as the whole system, and the programs that they link find its libraries by RPATH. What the folder lacks is the machine's.
write_tools() {
    local tools file name command environment extra called
    tools=$folder/tools.new
    rm -rf "$tools" "$folder/runtime"
    mkdir -p "$tools" "$folder/runtime"
    for file in "$folder"/usr/lib/*-linux-gnu/*.so*; do
        name=${file##*/}
        case $name in
            ld-linux* | lib@(c|m|mvec|dl|rt|pthread|resolv|util|nsl|anl|thread_db|BrokenLocale)[.-]* | libnss_*) ;;
            *) ln -s "$file" "$folder/runtime/$name" ;;
        esac
    done
    for name in c++ g++ cc gcc ar as ld nm objcopy objdump ranlib readelf strip cmake ctest ninja git python3; do
        command=$folder/usr/bin/$name
        case $name in c++) command=$folder/usr/bin/g++ ;; cc) command=$folder/usr/bin/gcc ;; esac
        if [ ! -e "$command" ]; then continue; fi
        environment="LD_LIBRARY_PATH='$folder/runtime'"
        extra= called=
        case $name in
            c++ | g++ | cc | gcc)
                extra="'--sysroot=$folder' '-B$folder/usr/bin/' '-Wl,-rpath,$folder/runtime' -Wl,--disable-new-dtags" ;;
            # By name: CMake looks for compilers under its prefix before it does on the PATH.
            cmake)
                environment+=" CMAKE_PREFIX_PATH='$folder/usr' CC='$folder/tools/cc' CXX='$folder/tools/c++'"
                environment+=" CUDAHOSTCXX='$folder/tools/c++'" ;;
            # The machine's own, where it will do: it knows the user's settings.
            git)
                if [ -x /usr/bin/git ]; then continue; fi
                environment+=" GIT_EXEC_PATH='$folder/usr/lib/git-core'"
                environment+=" GIT_TEMPLATE_DIR='$folder/usr/share/git-core/templates'" ;;
            python3)
                if /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null; then continue; fi
                called='-a "$0"' ;;  # by which name it knows its virtual environment
        esac
        printf '#!/bin/bash\n%s exec %s "%s" %s "$@"\n' "$environment" "$called" "$command" "$extra" >"$tools/$name"
        chmod +x "$tools/$name"
    done
    rm -rf "$folder/tools"
    mv "$tools" "$folder/tools"
}

[ "$architecture" != "$(dpkg --print-architecture)" ] || write_tools

# What is there: what was, less what has come anew, and what has come.
for archive in "${archives[@]}"; do
    dpkg-deb -f "$archive" | if [[ " ${alone[*]} " == *" $(dpkg-deb -f "$archive" Package) "* ]]; then
        sed -E '/^(Pre-)?Depends:/d'  # else apt would want them mended
    else
        cat
    fi | sed '/^Package:/a Status: install ok installed'
    echo
done >"$new"
awk -v RS= -v ORS='\n\n' 'NR == FNR { come[$2]; print; next } !($2 in come)' "$new" "$settled" >"$new.all"
if ! present "$new.all"; then
    echo "apt did not download all of ${packages[*]} ${alone[*]} (sources of the form file:... do not do)" >&2
    exit 1
fi
mv "$new.all" "$status"
rm -rf "$new" "$folder/var/lib/dpkg/none" "$state" "$cache"
