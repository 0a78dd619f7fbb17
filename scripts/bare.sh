#!/usr/bin/env bash
# The README's commands on a bare machine: a Debian with git and make alone, made by debootstrap in build-bare/RELEASE.
# scripts/bare.sh bookworm|trixie [TARGET...]   make's targets, one after the other; reproduce and test if none is named
# Clones the last commit there. Needs root and debootstrap. What each target prints is kept in build-bare/RELEASE-TARGET.log,
# which ends with how long it took. The folder is made anew each time; KEEP=1 goes on in the one that is there.
set -euo pipefail
cd "$(dirname "$0")/.."
release=${1:?bookworm or trixie}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(reproduce test)
root=$PWD/build-bare/$release

# Mounts are this command's own, and go with it.
inside() {
    unshare --mount --propagation private bash -c '
        mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "${@}"' "$root" \
        /usr/bin/env -i HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" "$@"
}

if [ "${KEEP:-0}" != 1 ] || [ ! -d "$root" ]; then
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase --include=git,make,ca-certificates "$release" "$root" >"$root.log" 2>&1 ||
        { tail -n 5 "$root.log" >&2; exit 1; }
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # A network may have a certificate authority of its own.
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    git clone --quiet . "$root/root/gridmark"
fi
code=0
for target in "${targets[@]}"; do
    log=$root-$target.log
    start=$SECONDS
    inside make -C /root/gridmark --no-print-directory "$target" >"$log" 2>&1 </dev/null || { code=1; failed=" (FAILED)"; }
    took=$((SECONDS - start))
    printf 'make %s on %s: %d:%02d%s\n' "$target" "$release" $((took / 60)) $((took % 60)) "${failed:-}" | tee -a "$log"
    tail -n 3 "$log" | head -n 2 | sed 's/^/  /'
done
exit $code
