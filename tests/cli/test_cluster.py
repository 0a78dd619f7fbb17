"""The suite on a cluster, without a daemon: what Slurm says, what jobs are told and say, and who is slow."""

import json
import os
import random
import resource
import shutil
import subprocess
import sys

import pytest
from conftest import BINARY, REFERENCE, ROOT, SHARED, complaint
from faulty import FAULTS, Faulty
from jsonschema import Draft7Validator

sys.path.insert(0, str(ROOT / "cluster"))
import fleet

COMPARISON = Draft7Validator(json.loads((ROOT / "harness/compare/compare.schema.json").read_text()))
NODES = """gpu|n1|64|gpu:a100:4(S:0-1)
gpu|n2|32|gpu:a100:2
cpu|c1|64|(null)
mixed|c1|64|(null)
mixed|n1|64|gpu:4
"""
LAUNCHER = "gridmark: this folder needs Linux on x86_64 with glibc 2.30 or later; this system has glibc 2.27"


def stub(path, text):
    """A command of a cluster that this machine does not have."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def cluster(tmp_path):
    """fleet.py where Slurm knows NODES; returns a function that runs it."""
    bin_folder = tmp_path / "bin"
    stub(bin_folder / "sinfo", f"cat <<'END'\n{NODES}END")
    stub(bin_folder / "sacct", "exit 1")

    def call(*words, path=bin_folder, **options):
        command = [sys.executable, ROOT / "cluster" / "fleet.py", *map(str, words)]
        env = os.environ | {"PATH": f"{path}:/usr/bin:/bin"}
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False, **options)

    call.folder = bin_folder
    return call


# What Slurm says


@pytest.mark.parametrize(
    ("gres", "gpus"),
    [
        ("(null)", 0),
        ("gpu", 1),
        ("gpu:8", 8),
        ("gpu:a100:4(S:0-1),shard:8", 4),
        ("gpu:1g.5gb:7(S:0),gpu:2g.10gb:2", 9),
        ("shard:gpu:3,mps:100", 0),
    ],
)
def test_gpus_of_a_node(gres, gpus):
    assert fleet.gpus_of(gres) == gpus


def test_a_partition_has_the_least_of_its_nodes(cluster):
    assert fleet.partitions_of(NODES)["gpu"] == fleet.Partition("gpu", 2, 2, 32)
    assert fleet.partitions_of(NODES)["mixed"].gpus == 0
    (system,) = json.loads(cluster("settings").stdout)["systems"]
    (part,) = system["partitions"]
    assert part["access"] == ["--partition=gpu"]
    assert part["scheduler"] == "squeue", "accounting is off"
    assert part["extras"] == {"gpus": 2, "cpus": 32}


def test_bad_input_is_one_line(cluster, tmp_path):
    def refused(*words, **more):
        return complaint(cluster("run", *words, "--results", tmp_path / "out", **more))

    assert "there is no partition gpus (there is: cpu, gpu, mixed)" in refused("gpus")
    assert "partition cpu has nodes without GPUs" in refused("cpu")
    assert "no-program cannot be started" in refused("gpu", "--program", "/no-program")
    old = stub(tmp_path / "old", f"echo '{LAUNCHER}' >&2; exit 2")
    assert refused("gpu", "--program", old) == LAUNCHER
    assert not (tmp_path / "out").exists()
    full = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))}
    assert "out: no room for results: File too large" in refused("gpu", "--program", BINARY, **full)
    assert list((tmp_path / "out").iterdir()) == []
    assert "ReFrame is not there: make cluster" in refused("gpu", "--program", BINARY, "--reframe", "/none")
    assert "invalid choice: 'fast'" in refused("gpu", "--preset", "fast")
    assert "0 sets are too few" in complaint(cluster("report", "gpu", "--results", tmp_path / "out"))
    stub(
        cluster.folder / "sinfo",
        "echo 'slurm_load_partitions: Unable to contact slurm controller' >&2; exit 1",
    )
    assert "Slurm does not answer: slurm_load_partitions: Unable to contact" in refused("gpu")
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "nothing").touch()
    if not os.access("/usr/bin/sinfo", os.X_OK):
        assert "there is no sinfo here" in refused("gpu", path=bare)


def test_no_slurm_is_one_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fleet.main(["run", "gpu"]) == 2
    assert capsys.readouterr().err.startswith("gridmark: there is no sinfo here")


# What jobs are told, and say


def test_reframe_is_told_all_and_its_failures_are_lines(cluster, tmp_path):
    """The ReFrame in its place notes its words and leaves a report."""
    key = "cluster:gpu:n2-gpu0/heat/a row"
    cases = [
        {"result": "pass", "display_name": "Gridmark %.nid=n1", "job_nodelist": ["n1"], "fail_reason": None},
        {
            "job_nodelist": ["n2"],
            "fail_reason": "performance error: x",
            "perfvalues": {key: [2, 1, None, 0, "us", "fail"]},
        },
        {
            "job_nodelist": [],
            "fail_reason": "job blocked error: [jobid=4] job cancelled because it was blocked due to "
            "reason: ReqNodeNotAvail, UnavailableNodes:n3",
        },
        {"job_nodelist": ["n4"], "fail_reason": f"sanity error: {LAUNCHER}"},
    ]
    for number, case in enumerate(cases[1:], 2):
        case |= {"result": "fail", "display_name": f"Gridmark %.part=cluster:gpu %.nid=n{number}"}
    (tmp_path / "report.json").write_text(json.dumps({"runs": [{"testcases": cases}]}))
    out = tmp_path / "out"
    reframe = stub(
        tmp_path / "reframe",
        f'printf "%s\\n" "$@" >{tmp_path}/words\n'
        f"cp {tmp_path}/report.json {out}/reframe/gpu/report.json; exit 1",
    )
    words = ["heat", "maxwell", "--preset", "paper", "--rows", "kernel|a b", "--job", "time=1:00:00"]
    words += ["--base", REFERENCE, "--program", BINARY]
    done = cluster("run", "gpu", *words, "--results", out, "--reframe", reframe)
    assert done.stderr.splitlines() == [
        "gridmark: n2: 1 rows are slower than their reference, first n2-gpu0/heat/a row",
        "gridmark: n3: its job cannot start (ReqNodeNotAvail, UnavailableNodes:n3)",
        f"gridmark: n4: {LAUNCHER.removeprefix('gridmark: ')}",
        f"gridmark: {out}/gpu: 0 sets are too few to rank",
    ]
    told = (tmp_path / "words").read_text().splitlines()
    assert {
        "--distribute=all",
        "--system=cluster:gpu",
        "Gridmark.studies=heat maxwell",
        "time=1:00:00",
    } <= set(told)
    assert {"Gridmark.rows=kernel|a b", f"Gridmark.base={REFERENCE}"} <= set(told)
    assert (out / "reframe/gpu/settings.yaml").exists()


def test_why_a_job_did_not_end_well():
    assert fleet.why_not("gridmark ended with 0\n", "gridmark: a remark\n") == ""
    assert fleet.why_not("gridmark ended with 3\ngridmark ended with 0\n", "") == "", "it was requeued"
    assert "interrupted: what was measured is kept" in fleet.why_not("gridmark ended with 3\n", "")
    assert fleet.why_not("gridmark ended with 2\n", f"srun: x\n{LAUNCHER}\nsrun: y\n") == LAUNCHER
    assert "a row failed" in fleet.why_not("gridmark ended with 1\n", "")
    assert "ended before its work was done: what was measured is kept" in fleet.why_not("", "srun: killed")
    assert [str(one) for one in fleet.folders("x\ngridmark set: /a b/n1\ngridmark set: /a b/n1\n")] == [
        "/a b/n1"
    ]


def test_a_threshold_is_exceeded_where_compare_says_slower(tmp_path):
    folders = [tmp_path, ROOT / "results/repeats/nvidia-h200-other-host"]
    shutil.copy(ROOT / "results/repeats/nvidia-h200-three-cards/ginzburg_landau.json", tmp_path)
    for base, new in (folders, folders[::-1]):
        done = subprocess.run([BINARY, "compare", base, new, "--json"], capture_output=True, check=True)
        rows = json.loads(done.stdout)["rows"]
        slower = {row["name"] for row in rows if row["verdict"] == "slower"}
        thresholds = {row["name"]: (row, fleet.upper_threshold(row)) for row in rows}
        beyond = {
            name
            for name, (row, threshold) in thresholds.items()
            if threshold is not None and row["new"] > row["base"] * (1 + threshold)
        }
        assert beyond == slower and slower
    assert None in [threshold for _, threshold in thresholds.values()], "CPU rows have no margin"


JOB = {
    "SLURM_JOB_ID": "7",
    "SLURM_JOB_PARTITION": "gpu",
    "SLURMD_NODENAME": "n07",
    "SLURM_LOCALID": "1",
    "SLURM_CPUS_ON_NODE": "2",
    "SLURM_NTASKS_PER_NODE": "1",
    "SLURM_SUBMIT_DIR": str(ROOT),
    "SLURM_PROCID": "1",
}


def task(folder, *words, **variables):
    """gridmark.sbatch as Slurm starts it, with an srun that starts one task."""
    stub(folder / "bin" / "srun", 'while [[ $1 == --* ]]; do shift; done; exec "$@"')
    env = {**os.environ, **JOB, **variables, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    command = [ROOT / "cluster" / "gridmark.sbatch", *words]
    return subprocess.run(
        ["bash", *map(str, command)], env=env, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_job_measures_into_its_nodes_folder_and_the_set_knows_where(tmp_path):
    faulty = Faulty(tmp_path)
    faulty.out = tmp_path / "gpu" / "n07-gpu1"
    faulty.file = faulty.out / "faulty.json"
    told = {"GRIDMARK_PROGRAM": str(FAULTS), "GRIDMARK_RESULTS": str(tmp_path)}
    done = task(tmp_path, SHARED, "--filter", "cpu/1", **told)
    assert done.returncode == 0, done.stderr
    assert fleet.why_not(done.stdout, done.stderr) == ""
    assert fleet.folders(done.stdout) == [faulty.out]
    context = faulty.document()["context"]
    scheduler = context["scheduler"]
    assert (scheduler["partition"], scheduler["node"], scheduler["job"]) == ("gpu", "n07", "7")
    assert (scheduler["task"], scheduler["restarts"], scheduler["gpus"]) == (1, 0, None)
    assert context["reasons"]["scheduler.gpus"] == "SLURM_JOB_GPUS is not set"
    first = faulty.measured()
    # The job is requeued, and told of a GPU.
    done = task(tmp_path, SHARED, **told, SLURM_RESTART_COUNT="1", SLURM_STEP_GPUS="3")
    assert done.returncode == 0, done.stderr
    context = faulty.document()["context"]
    assert (context["scheduler"]["restarts"], context["scheduler"]["gpus"]) == (1, "3")
    assert "scheduler.gpus" not in context["reasons"]
    assert first.items() <= faulty.measured().items()
    assert [file.name for file in faulty.out.iterdir()] == ["faulty.json"]


def test_a_job_says_why_its_program_does_not_start(tmp_path):
    old = stub(tmp_path / "old", f"echo '{LAUNCHER}' >&2; exit 2")
    for program, why in ((old, LAUNCHER), ("/none", "gridmark: n07: there is no program /none")):
        done = task(tmp_path, GRIDMARK_PROGRAM=str(program), GRIDMARK_RESULTS=str(tmp_path / "out"))
        assert done.returncode == 2
        assert fleet.why_not(done.stdout, done.stderr).startswith(why)
    assert not (tmp_path / "out").exists()
    lone = subprocess.run(
        ["bash", ROOT / "cluster/gridmark.sbatch"], capture_output=True, text=True, check=False
    )
    assert "runs inside a Slurm job: sbatch" in complaint(lone)


# Who is slow


def scaled(row, factor):
    row["samples"] = [factor * sample for sample in row["samples"]]
    row["median"] *= factor
    row["interval"] = [factor * end for end in row["interval"]]


ORIGINAL = ROOT / "results/repeats/nvidia-h200-paper/maxwell.json"


def made_set(folder, number, slow="nothing"):
    """A committed set as a node's: scattered by 0.5 %, and what begins with `slow` is 10 % slower."""
    file, chance, node = json.loads(ORIGINAL.read_text()), random.Random(number), f"n{number:02}"
    for ceiling in file["context"]["ceilings"]:
        factor = chance.lognormvariate(0, 0.005) * (1.1 if ceiling["name"].startswith(slow) else 1)
        ceiling["value"] *= factor if ceiling["unit"] in ("us", "ms") else 1 / factor
    for row in file["rows"]:
        if row["quantity"] == "time" and row["median"]:
            limit = row["limit"] or {"ceiling": "", "share": 0}
            bound = limit["ceiling"].startswith(slow) and limit["share"] >= 0.5
            scaled(row, chance.lognormvariate(0, 0.005) * (1.1 if bound else 1))
    file["context"]["scheduler"] = {"name": "slurm", "partition": "gpu", "node": node, "job": str(number)}
    if node == "n33":
        file["context"]["topology"] = {"binding": "bound to CPUs of NUMA node 0, but the GPU hangs on node 1"}
    out = folder / "gpu" / f"{node}-gpu0"
    out.mkdir(parents=True, exist_ok=True)
    (out / "maxwell.json").write_text(json.dumps(file))


@pytest.fixture(scope="module")
def healthy(tmp_path_factory):
    """40 sets of equal machines."""
    folder = tmp_path_factory.mktemp("healthy")
    for number in range(1, 41):
        made_set(folder, number)
    return folder


@pytest.mark.xdist_group("fleet")
def test_of_a_fleet_the_slow_link_and_the_slow_memory_are_named(tmp_path, cluster, healthy):
    results = shutil.copytree(healthy, tmp_path / "made")
    made_set(results, 7, slow="link_")
    made_set(results, 23, slow="gpu_triad")
    done = cluster("report", "gpu", "--results", results, "--program", BINARY)
    assert done.returncode == 1, done.stderr
    text = " ".join(done.stdout.split())
    assert text.startswith("2 of 40 machines are slow:")
    assert f"{results}/gpu/n23-gpu0 by GPU memory" in text
    assert (
        "n07-gpu0, by link_up_pinned in maxwell: 26 of 26 rows that it bounds are slower, most of all "
        in text
    )
    assert "the ceiling gpu_triad_bandwidth takes +" in text
    assert f"Disturbed was {results}/gpu/n33-gpu0 in maxwell: bound to CPUs of NUMA node 0" in text
    table = done.stdout.split("median of the others:\n")[1].splitlines()
    assert len(table) == 40
    assert {line.split()[2].split("/")[-1] for line in table if " SLOW " in line} == {"n07-gpu0", "n23-gpu0"}
    assert all(" SLOW " in line for line in table[:2])
    assert "; partition gpu, node n07, job 7" in done.stdout
    found = subprocess.run(
        [BINARY, "compare", "--rank", "--json", *fleet.sets_of(results, "gpu")[:8]],
        capture_output=True,
        text=True,
        check=False,
    )
    document = json.loads(found.stdout)
    COMPARISON.validate(document)
    ratios = [one["ratio"] for one in document["ranking"] if not one["slow"]]
    assert ratios == sorted(ratios, reverse=True) and max(ratios) < 1.02
    assert document["sets"][6]["place"] == "partition gpu, node n07, job 7"


@pytest.mark.xdist_group("fleet")
def test_a_healthy_fleet_names_nobody_and_too_few_are_refused(healthy, cluster):
    none = cluster("report", "gpu", "--results", healthy, "--program", "/no-program")
    assert "/no-program cannot be started" in complaint(none)
    sets = fleet.sets_of(healthy, "gpu")
    done = subprocess.run([BINARY, "compare", "--rank", *sets], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("0 of 40 machines are slow.\n")
    few = subprocess.run(
        [BINARY, "compare", "--rank", *sets[:3]], capture_output=True, text=True, check=False
    )
    assert "--rank: takes four sets of one GPU model" in complaint(few)
