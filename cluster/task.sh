#!/usr/bin/env bash
# One task of a Slurm job, on one GPU: cluster/task.sh RESULTS PROGRAM WORDS... measures `PROGRAM run WORDS...` into
# RESULTS/<partition>/<node>-gpu<k>, k counting the tasks on the node. The same task on the same node goes on with what is
# there. PROGRAM takes Slurm's SIGTERM itself and keeps what is done, so this shell gives way to it.
set -euo pipefail
if [ $# -lt 2 ] || [ -z "${SLURM_JOB_ID:-}" ]; then
    echo "gridmark: cluster/task.sh RESULTS PROGRAM [words of gridmark run]: only inside a Slurm job's step" >&2
    exit 2
fi
folder=$1/$SLURM_JOB_PARTITION/$SLURMD_NODENAME-gpu${SLURM_LOCALID:-0}
program=$2
shift 2
# Words of PROGRAM apart: "apptainer run --nv gridmark.sif" is one, too.
read -ra command <<<"$program"
command -v "${command[0]}" >/dev/null ||
    { echo "gridmark: $SLURMD_NODENAME: there is no program ${command[0]} (a folder that this node does not see?)" >&2; exit 2; }
echo "gridmark set: $folder"
exec "${command[@]}" run "$@" --out "$folder"
