"""scripts/sanitize_gpu.py, with a compute-sanitizer that prints what the real one prints and runs nothing."""

import json
import subprocess
import sys

import pytest
from conftest import BINARY, REFERENCE, ROOT

sys.path.insert(0, str(ROOT / "scripts"))

import sanitize_gpu

# {fault} is what goes wrong: a dictionary of a word of the command line to what happens to its runs.
STUB = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
if words == ["--version"]:
    print("NVIDIA (R) Compute Sanitizer\\nVersion 2025.3.1.0 (build 36398880)")
    sys.exit()
tool = words[words.index("--tool") + 1]
line = " ".join(words)
fault = next((fault for word, fault in {fault!r}.items() if word in line), "")
print("========= COMPUTE-SANITIZER")
if fault == "crash":
    print("gridmark: an illegal access")
    print("========= Error: process didn't terminate successfully")
    sys.exit(1)
if "--out" in words and fault != "nothing written":
    pathlib.Path(words[-1]).write_text("a field")
if "machine" in words:
    reasons = {{
        "no ceiling": "too little memory",
        "no difference": "its clock went back or stood still: -0.000001 s passed",
    }}
    values = {{"gpu_launch": None if fault in reasons else 1.0, "gpu_empty_kernel": None}}
    ceilings = [
        {{"name": name, "value": value, "reason": reasons.get(fault)}} for name, value in values.items()
    ]
    print(json.dumps({{"ceilings": ceilings}}))
told = {{
    "out_of_bounds": "Invalid __global__ write of size 4 bytes",
    "leak": "Leaked 1,000 bytes at 0x7f5f2ba00000",
    "shared_race": "Error: Race reported between Write access and Read access",
    "uninitialised_read": "Uninitialized __global__ memory read of size 4 bytes",
    "divergent_barrier": "Barrier error detected. Divergent thread(s) in block.",
}}
seen = [text for mistake, text in told.items() if words[-1] == mistake and fault != "blind"]
if fault == "error":
    seen = ["Invalid __shared__ read of size 8 bytes"]
for text in seen:
    print("=========", text)
count = len(seen)
if tool == "memcheck":
    print("========= LEAK SUMMARY: 0 bytes leaked in 0 allocations")
if tool == "racecheck":
    print(f"========= RACECHECK SUMMARY: {{count}} hazards displayed ({{count}} errors, 0 warnings)")
elif fault != "no summary":
    print(f"========= ERROR SUMMARY: {{count}} errors")
"""


@pytest.fixture
def sanitize(tmp_path):
    """Runs the script over two small studies; tells its exit code, its output and the table."""

    def run(fault=None, small=("n=1009 steps=3 block=96",), options=()):
        stub, program = tmp_path / "compute-sanitizer", tmp_path / "gridmark"
        stub.write_text(STUB.format(python=sys.executable, fault=fault or {}))
        variants = [{"name": "gpu_overlap8", "kind": "cuda"}, {"name": "cpu_overlap", "kind": "cpu"}]
        study = {"id": "ginzburg_landau", "variants": variants, "small": small}
        listed = {"experiments": [study]}
        machine = {"build": {"commit": "0123abc", "dirty": False}}
        listing = f"if [ $1 = list ]; then echo '{json.dumps(listed)}'; fi\n"
        program.write_text(
            f"#!/bin/sh\n{listing}if [ $1 = machine ]; then echo '{json.dumps(machine)}'; fi\n"
        )
        (tmp_path / "gridmark_bad_kernels").write_text("#!/bin/sh\n")
        for file in (stub, program, tmp_path / "gridmark_bad_kernels"):
            file.chmod(0o755)
        done = subprocess.run(
            [
                sys.executable,
                sanitize_gpu.__file__,
                "--gridmark",
                program,
                "--out",
                tmp_path / "out",
                *options,
            ],
            env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )
        table = tmp_path / "out" / "sanitizers.md"
        return done, table.read_text() if table.exists() else ""

    return run


def test_all_clean(sanitize):
    done, table = sanitize()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "16 of 16 runs clean, 5 of 5 mistakes seen" in done.stdout
    for word in ("gpu_overlap8 | float", "gpu_overlap8 | double", "Version 2025.3.1.0", "commit: 0123abc"):
        assert word in table
    assert "cpu_overlap" not in table
    assert "Not clean" not in table
    assert "   4 x ========= RACECHECK SUMMARY: 0 hazards" in table


def test_racecheck_alone_leaves_out_what_cannot_race_and_the_table_says_so(sanitize):
    _, table = sanitize({"--kernel-regex-exclude kns=meet_kernel": "error"})
    runs = [line for line in table.split("Not clean:")[1].splitlines() if line.endswith("1 reported")]
    assert len(runs) == 4
    assert all("| racecheck:" in line for line in runs)
    assert "racecheck leaves out meet_kernel" in table


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"precision=double": "error"}, "1 reported"),
        ({"precision=float": "crash"}, "exit code 1: gridmark: an illegal access"),
        ({"--tool initcheck": "no summary"}, "the tool gave no summary"),
        ({"--tool synccheck": "nothing written"}, "it wrote no result"),
        ({"machine": "no ceiling"}, "not measured: gpu_launch"),
    ],
)
def test_what_is_not_clean_is_told(sanitize, fault, said):
    done, table = sanitize(fault)
    assert done.returncode == 1
    assert "16 of 16" not in table
    assert said in table.split("Not clean:")[1]


def test_a_ceiling_whose_time_the_tool_hides_was_run_nevertheless(sanitize):
    done, table = sanitize({"machine": "no difference"})
    assert done.returncode == 0
    assert "Not clean" not in table


def test_some_cases_alone(sanitize):
    done, table = sanitize(options=["--only", "^ginzburg.*float"])
    assert done.returncode == 0
    assert "4 of 4 runs clean, 5 of 5 mistakes seen (only ^ginzburg.*float)" in table
    assert "double" not in table
    assert "ceilings" not in table
    done, _ = sanitize(options=["--only", "wave"])
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["sanitize-gpu: --only wave: no case has that"]
    done, _ = sanitize(options=["--only", "("])
    assert done.returncode == 2
    assert [line.partition("(:")[0] for line in done.stderr.splitlines()] == ["sanitize-gpu: --only "]


def test_a_tool_that_sees_no_mistake_fails(sanitize):
    for mistakes in (words for _, words in sanitize_gpu.TOOLS.values()):
        for mistake in mistakes:
            done, table = sanitize({f"gridmark_bad_kernels {mistake}": "blind"})
            assert done.returncode == 1
            assert f"| {mistake} |" in table
            assert "16 of 16 runs clean, 4 of 5 mistakes seen" in table


def test_a_study_without_sizes_is_refused(sanitize):
    done, table = sanitize(small=())
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "sanitize-gpu: ginzburg_landau: its study.json names no `small` settings"
    ]
    assert table == ""


def experiments():
    """What the program lists."""
    done = subprocess.run([BINARY, "list", "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["experiments"]


def test_every_cuda_variant_runs_with_its_sizes(program, tmp_path):
    """On the host executor: the very words that `--on gpu` gets. cuSPARSE is a library for GPUs."""
    cases = sanitize_gpu.solve_cases(experiments())
    variants = [v for study in experiments() for v in study["variants"] if v["kind"] == "cuda"]
    assert len(cases) >= 2 * len(variants) >= 40
    for case in cases:
        if "cusparse" in case.what:
            continue
        words = ["host" if word == "gpu" else word for word in case.words]
        done = program(*words, "--out", tmp_path / "out.h5")
        assert done.returncode == 0, (case.what, done.stderr)


def test_the_timed_rows_exist():
    rows = json.loads((REFERENCE / "jacobi.json").read_text())["rows"]
    clocks = [row["clock"] for row in rows if sanitize_gpu.TIMED in row["name"]]
    assert clocks == ["step", "step"]


def test_the_mistakes_are_those_of_the_program():
    text = (ROOT / "tests" / "launch" / "bad_kernels.cpp").read_text()
    for mistake in (name for _, mistakes in sanitize_gpu.TOOLS.values() for name in mistakes):
        assert f'{{"{mistake}",' in text
