#!/usr/bin/env bash
# Unpacks Debian packages, with all that they depend on, into a folder: for users without root, and for other architectures.
# scripts/unpack.sh FOLDER ARCH PACKAGE...   ARCH: amd64, arm64, ... as dpkg names it
# alone:PACKAGE leaves out what the package depends on (a header library may ask for all that it can work with).
# SOURCES=file: a sources.list to take in place of the system's, such as an older release's.
# apt chooses, downloads and verifies, by the system's own keys; its state stays inside FOLDER. No package's scripts are
# run. FOLDER/var/lib/dpkg/status names what is there, and is written last: without it a folder is incomplete. Packages
# that it names are not unpacked again.
set -euo pipefail
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

present() {
    awk -v RS= -v architecture="$architecture" -v asked="${packages[*]} ${alone[*]}" '
        { name = place = ""
          for (i = 1; i < NF; i++) { if ($i == "Package:") name = name ? name : $(i + 1)
                                     if ($i == "Architecture:") place = place ? place : $(i + 1) }
          if (place == architecture || place == "all") there[name] }
        END { split(asked, names, " "); for (i in names) if (!(names[i] in there)) exit 1 }' "$status"
}

mkdir -p "$folder"
exec 9>"$folder.lock"
flock 9
if [ -s "$status" ] && present; then exit 0; fi

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

shopt -s nullglob
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
for archive in "${archives[@]}"; do
    dpkg-deb --ctrl-tarfile "$archive" | tar -xO ./postinst 2>/dev/null | sed -e ':a' -e '/\\$/{N;s/\\\n/ /;ba}' |
        grep -E '^[^#]*update-alternatives.* --install ' || true
done | { grep -oE -- '--(install|slave) +/[^ $]+ +[^ $]+ +/[^ $]+' || true; } | while read -r _ link _ target; do
    if [ -e "$folder$target" ] && [ ! -e "$folder$link" ]; then
        mkdir -p "$(dirname "$folder$link")"
        ln -sfn --relative "$folder$target" "$folder$link"
    fi
done

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
mv "$new.all" "$status"
rm -rf "$new" "$folder/var/lib/dpkg/none" "$state" "$cache"
