#!/usr/bin/env bash
# A cluster on this machine, and the suite on it (`make check-cluster`): munge, slurmctld and a slurmd for each of some
# virtual nodes on the loopback address, without cgroups. A job is requeued in the middle and goes on; of the nodes one is
# slow and one is down, and both are named. Needs no root. What it starts it stops, by process id, also when it fails.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin
program=${GRIDMARK:-$PWD/build/gridmark}
work=$(mktemp -d /tmp/gridmark-cluster.XXXXXX)
results=$work/results
export SLURM_CONF=$work/slurm.conf OMP_WAIT_POLICY=passive
export GRIDMARK_PROGRAM=$program GRIDMARK_RESULTS=$results
fleet=(cluster/fleet.py run gpu jacobi --program "$program" --results "$results" --one-by-one)
started=()
passed=0

for command in munged slurmctld slurmd sbatch; do
    command -v "$command" >/dev/null && continue
    echo "gridmark: check-cluster needs $command: apt-get install slurm-wlm munge" >&2
    exit 2
done

# Processes of this cluster, by its configuration in their environment: also steps that outlive their slurmd.
ours() {
    local entry pid
    for entry in /proc/[0-9]*/environ; do
        pid=${entry#/proc/}
        pid=${pid%/environ}
        if [ "$pid" = $$ ] || [ "$pid" = "$BASHPID" ]; then continue; fi
        if grep -qsF "SLURM_CONF=$SLURM_CONF" "$entry" 2>/dev/null; then echo "$pid"; fi
    done
}

stop_all() {
    local code=$? pid tries
    trap - EXIT
    trap '' INT TERM
    timeout 10 scancel --quiet --user="$(id -un)" 2>/dev/null || true
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    # A step that waits for a controller which is gone never ends, nor does its slurmd.
    for ((tries = 0; tries < 30; ++tries)); do
        [ -n "$(ours)" ] || break
        sleep 0.2
    done
    for pid in $(ours); do kill -KILL "$pid" 2>/dev/null || true; done
    if [ "$code" = 0 ]; then rm -rf "$work"; else echo "check-cluster: FAILED; its files are in $work" >&2; fi
    exit "$code"
}
trap stop_all EXIT
trap 'exit 3' INT TERM

# Starts a daemon in the background; its process id is kept.
begin() {
    local log=$work/$1
    shift
    "$@" >"$log.out" 2>&1 &
    started+=($!)
}

pass() {
    passed=$((passed + 1))
    echo "  ok  $*"
}
die() {
    echo "check-cluster: $*" >&2
    exit 1
}
# Waits until a command succeeds: until SECONDS COMMAND...
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || die "it never came to that: $*"
        sleep 0.3
    done
}
# A command that must fail with this exit code and one line on stderr that has the words: refused CODE WORDS COMMAND...
refused() {
    local code=$1 words=$2 got=0
    shift 2
    "$@" >/dev/null 2>"$work/refused" || got=$?
    if [ "$got" != "$code" ] || [ "$(wc -l <"$work/refused")" != 1 ] || ! grep -qF "$words" "$work/refused"; then
        die "$* gave $got: $(cat "$work/refused")"
    fi
    pass "refused: $(cat "$work/refused")"
}
# What python makes of a result file: asked FILE EXPRESSION, with d the document and m the rows with a number.
asked() {
    python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
m = {r["name"]: r for r in d["rows"] if r["median"] is not None}
print(eval(sys.argv[2]))' "$1" "$2" 2>/dev/null
}
# What a set says of its job: told_by_slurm FILE KEY
told_by_slurm() { asked "$1" "d['context']['scheduler']['$2']"; }

echo "A cluster of virtual nodes in $work"
user=$(id -un)
mkdir -p "$work/state" "$results"
cat >"$work/slurm.conf" <<END
ClusterName=check
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
KillWait=20
ReturnToService=2
NodeName=c[1-7] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[16821-16827] CPUs=$(nproc) Gres=gpu:1
NodeName=d1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=16829 CPUs=$(nproc) Gres=gpu:2
NodeName=p1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=16828 CPUs=$(nproc)
PartitionName=gpu Nodes=c[1-7] Default=YES MaxTime=60 State=UP
PartitionName=pair Nodes=d1 MaxTime=60 State=UP
PartitionName=plain Nodes=p1 MaxTime=60 State=UP
END
# Slurm counts a file as a GPU; the program finds none and measures the CPU.
printf '%s\n' AutoDetect=off 'NodeName=c[1-7] Name=gpu File=/dev/null' 'NodeName=d1 Name=gpu File=/dev/null' \
    'NodeName=d1 Name=gpu File=/dev/zero' >"$work/gres.conf"
(umask 077 && head -c 128 /dev/urandom >"$work/munge.key")
begin munged munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" \
    --pid-file="$work/munged.pid" --log-file="$work/munged.log" --seed-file="$work/munge.seed"
until_true 20 test -S "$work/munge.socket"
begin slurmctld slurmctld -D
# c7 has no daemon: it is the node that is down.
for node in c{1..6} d1; do
    mkdir "$work/spool-$node"
    begin "$node" slurmd -D -N "$node"
done
idle() { [ "$(sinfo -h -N -p gpu -t idle -o %N 2>/dev/null | wc -l)" -ge 6 ]; }
until_true 60 idle
scontrol update nodename=c7 state=down reason="no daemon"
pass "$(sinfo -V): $(sinfo -h -p gpu -o '%D %t' | paste -sd,)"

refused 2 "there is no partition nowhere (there is: gpu, pair, plain)" cluster/fleet.py run nowhere --program "$program"
refused 2 "partition plain has nodes without GPUs" cluster/fleet.py run plain --program "$program"

echo "sbatch: a job that is requeued in the middle"
file=$results/gpu/c1-gpu0/jacobi.json
job=$(sbatch --parsable --nodelist=c1 --output="$work/job.out" cluster/gridmark.sbatch \
    jacobi --filter 'cpu_.*/(512x256|4096x4096)/')
some_rows() { [ "$(asked "$file" 'len(m) >= 2')" = True ]; }
gone() { ! squeue -h -j "$job" -t PD,R,CG -o %T 2>/dev/null | grep -q .; }
rows_or_end() { some_rows || gone; }
until_true 120 rows_or_end
some_rows || die "it ended too soon: $(cat "$work/job.out")"
scontrol requeue "$job"
pending() { [ "$(squeue -h -j "$job" -o %T)" = PENDING ]; }
until_true 60 pending
kept=$(asked "$file" '{n: r["samples"] for n, r in m.items()}')
count=$(asked "$file" 'len(m)')
[ "$(asked "$file" 'd["context"]["complete"]')" = False ]
grep -q '^interrupted: what was measured is kept' "$work/job.out" || die "$(cat "$work/job.out")"
pass "requeued with $count rows: $(grep '^interrupted' "$work/job.out")"
scontrol update jobid="$job" StartTime=now
until_true 300 gone
grep -q '^gridmark ended with 0' "$work/job.out" || die "$(cat "$work/job.out")"
asked "$file" "all(m[n]['samples'] == s for n, s in $kept.items())" | grep -q True || die "rows were measured anew"
[ "$(told_by_slurm "$file" restarts)" = 1 ] || die "the set does not know that its job was requeued"
pass "went on: $(asked "$file" 'len(m)') rows, $count of them as they were"
rm -r "$results/gpu"
sbatch --wait --quiet --partition=pair --ntasks-per-node=2 --output="$work/pair.out" cluster/gridmark.sbatch \
    jacobi --filter 'cpu_openmp/512x256/float/one_thread' || die "$(cat "$work/pair.out")"
for k in 0 1; do
    [ "$(told_by_slurm "$results/pair/d1-gpu$k/jacobi.json" gpus)" = "$k" ] || die "task $k of d1 has no GPU of its own"
done
pass "two tasks on d1, a GPU each"

echo "ReFrame on one node: its job is killed, and the same command goes on"
code=0
one=("${fleet[@]}" --job nodelist=c2 --rows 'cpu_.*/(512x256|4096x4096)/')
file=$results/gpu/c2-gpu0/jacobi.json
"${one[@]}" >"$work/killed.out" 2>"$work/killed.err" &
until_true 120 some_rows
scancel --name="$(squeue -h -o %j)"
wait $! || code=$?
count=$(asked "$file" 'len(m)')
grep '^gridmark: c2: the job was ended before its work was done: what was measured is kept' "$work/killed.err" ||
    die "$(cat "$work/killed.out" "$work/killed.err")"
"${one[@]}" >"$work/again.out" 2>"$work/again.err" || true  # one set is too few to rank
grep -q 'Ran 1/1 test case(s) from 1 check(s) (0 failure' "$work/again.out" || die "$(cat "$work/again.out" "$work/again.err")"
pass "killed with $count rows, whole after the same command: $(asked "$file" 'len(m)')"

echo "ReFrame against references: a recorded set stands in for a GPU"
base=results/repeats/nvidia-h200-three-cards recorded=results/repeats/nvidia-h200-paper/ginzburg_landau.json
cat >"$work/recorded" <<END
#!/bin/bash
[ "\$1" = run ] || exec "$program" "\$@"
mkdir -p "\${@: -1}" && cp "$PWD/$recorded" "\${@: -1}"
END
chmod +x "$work/recorded"
mkdir "$work/alone" && cp "$recorded" "$work/alone"
slower=$("$program" compare "$base" "$work/alone" --json | python3 -c 'import json, sys
print(sum(row["verdict"] == "slower" for row in json.load(sys.stdin)["rows"]))')
code=0
cluster/fleet.py run gpu ginzburg_landau --base "$base" --program "$work/recorded" --results "$work/references" \
    --job nodelist=c3 >"$work/base.out" 2>"$work/base.err" || code=$?
grep "^gridmark: c3: $slower rows are slower than their reference, first c3-gpu0/ginzburg_landau/" "$work/base.err" ||
    die "compare says $slower rows: $(cat "$work/base.err")"
pass "as many rows as compare calls slower"

echo "ReFrame on all nodes: c6 runs a tenth of the time, c7 is down"
# Stops what measures on c6 for 40 milliseconds in 44: every pass over the triad's arrays meets that.
begin slow python3 -c '
import os, signal, sys, time
from pathlib import Path
def parts(entry, name):
    try: return (entry / name).read_bytes().split(b"\0" if name == "cmdline" else None)
    except OSError: return []
while True:
    runs = [e for e in Path("/proc").glob("[0-9]*") if sys.argv[1].encode() in parts(e, "cmdline")]
    found = [int(child) for e in runs for child in parts(e, f"task/{e.name}/children")]
    end = time.monotonic() + 0.5
    while found and time.monotonic() < end:
        for number, seconds in ((signal.SIGSTOP, 0.04), (signal.SIGCONT, 0.004)):
            for pid in found:
                try: os.kill(pid, number)
                except ProcessLookupError: found = []
            time.sleep(seconds)
    if not found: time.sleep(0.02)
' "$results/gpu/c6-gpu0"
code=0
"${fleet[@]}" --rows 'cpu_openmp/4096x4096/float/one_thread' >"$work/fleet.out" 2>"$work/fleet.err" || code=$?
sed -n '/machines* .* slow/,$p' "$work/fleet.out" | sed "s#$results/##g"
cat "$work/fleet.err" >&2
[ "$code" = 1 ] || die "it gave $code: $(tail -5 "$work/fleet.out")"
[ "$(cat "$work/fleet.err")" = "gridmark: c7: its job cannot start (ReqNodeNotAvail, UnavailableNodes:c7)" ]
pass "c7 is down, and named"
slow=$(awk '/ SLOW / {print $3}' "$work/fleet.out")
[ "$(head -1 <<<"$slow")" = "$results/gpu/c6-gpu0" ] || die "slow are: $slow"
pass "c6 is slow, and named first"
# All nodes are this machine: what others do on it meanwhile slows one of them in earnest.
[ "$slow" = "$results/gpu/c6-gpu0" ] || echo "  Others used this machine meanwhile, and slowed another node, too."
squeue -h | grep -q . && die "jobs are left: $(squeue)"

echo "check-cluster: $passed checks passed"
