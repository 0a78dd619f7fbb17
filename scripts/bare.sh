#!/usr/bin/env bash
# The README's commands on a bare machine: a Debian or Ubuntu with git and make alone, made by debootstrap.
# scripts/bare.sh RELEASE [TARGET...]   make's targets, one after the other; reproduce and test if none is named
#   RELEASE         bookworm, trixie, noble, ...
#   portable-folder as a target: the portable folder that `make portable` left here, tried there: list, and a short run
#   AS_USER=1       as an ordinary user without sudo
#   KEEP=1          goes on in the folder that is there; otherwise it is made anew
#   MIRROR=address  the archive, where this machine's apt has none of that distribution
#   KEYRING=file    the archive's keys, where this machine has none for that release
# Clones the last commit there. Needs root and debootstrap. What each target prints is kept in
# build-bare/RELEASE-TARGET.log (RELEASE-user-TARGET.log), which ends with how long it took.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/environment.sh
release=${1:?which release? bookworm, trixie, noble, ...}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(reproduce test)
case $release in
    bionic | focal | jammy | noble | plucky | questing)
        distribution=ubuntu
        components=main,universe
        # Ubuntu's releases share one script, and an older debootstrap does not know the newest by name.
        script=gutsy ;;
    *)
        distribution=debian
        components=main
        script=sid ;;
esac
home=/root
user=0
root=$PWD/build-bare/$release
if [ "${AS_USER:-0}" = 1 ]; then
    home=/home/gridmark
    user=1000
    root=$root-user
fi

# Mounts are this command's own, and go with it.
inside() {
    unshare --mount --propagation private bash -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --rbind /sys "$1/sys" &&
        exec chroot --userspec="$0:$0" --groups= "${@:1}"' \
        "$user" "$root" /usr/bin/env -i HOME="$home" TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
        http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" "$@"
}

# A few rows of one study, by the folder's program, as somebody would who has just unpacked it.
try_folder() {
    rm -rf "${root:?}/opt/gridmark-portable"
    cp -a build-portable/gridmark-portable "$root/opt/"
    inside sh -c 'cd "$HOME" && export PATH="/opt/gridmark-portable:$PATH" OMP_WAIT_POLICY=passive &&
        getconf GNU_LIBC_VERSION && gridmark list >list.txt && wc -l list.txt &&
        gridmark run jacobi --preset quick --filter "cpu.*/512x256/" --fresh --out portable'
}

if [ "${KEEP:-0}" != 1 ] || [ ! -d "$root" ]; then
    mirror=$(archive "$distribution")
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include=git,make,ca-certificates --components="$components" \
        ${KEYRING:+--keyring="$KEYRING"} "$release" "$root" "$mirror" "/usr/share/debootstrap/scripts/$script" \
        >"$root.log" 2>&1 || { tail -n 5 "$root.log" >&2; exit 1; }
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # A network may have a certificate authority of its own.
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    [ "$user" = 0 ] || chroot "$root" useradd --create-home --uid "$user" gridmark
    git clone --quiet . "$root$home/gridmark"
    chown -R "$user:$user" "$root$home/gridmark"
fi
code=0
for target in "${targets[@]}"; do
    log=$root-$target.log
    start=$SECONDS
    failed=
    if [ "$target" = portable-folder ]; then
        try_folder >"$log" 2>&1 </dev/null || failed=" (FAILED)"
    else
        inside make -C "$home/gridmark" --no-print-directory "$target" >"$log" 2>&1 </dev/null || failed=" (FAILED)"
    fi
    [ -z "$failed" ] || code=1
    took=$((SECONDS - start))
    printf 'make %s on %s: %d:%02d%s\n' "$target" "${root##*/}" $((took / 60)) $((took % 60)) "$failed" | tee -a "$log"
    tail -n 3 "$log" | head -n 2 | sed 's/^/  /'
done
exit $code
