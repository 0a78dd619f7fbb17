"""`run`: what it writes, and how it goes on."""

import json
import os
import shutil
import subprocess

import jsonschema
import pytest
from conftest import BINARY, REFERENCE, ROOT, SHARED, Program, complaint


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The results of a small run."""
    first = Program(tmp_path_factory.mktemp("measured"))
    done = first.small()
    assert done.returncode == 0, done.stderr
    return first.out


@pytest.fixture
def again(measured, program):
    """The program with a copy of those results, which the test may change."""
    shutil.copytree(measured, program.out)
    return program


def test_rows_are_whole_and_a_second_run_measures_nothing(again):
    document = json.loads(again.file.read_text())
    jsonschema.validate(document, json.loads((ROOT / "harness" / "result.schema.json").read_text()))
    assert document["context"]["complete"] is False  # a filter leaves rows out
    assert len(document["rows"]) == 9
    for row in document["rows"]:
        assert row["status"] == "estimate"
        assert "quick" in row["reason"]
        assert len(row["samples"]) >= 9
        assert row["interval"][0] <= row["median"] <= row["interval"][1]
        assert row["verification"]["error"] <= row["verification"]["tolerance"]
        counted, uncounted = row["counters"], document["context"].get("uncounted", {})
        assert len(counted | uncounted) == 11 and "reasons" not in counted
        assert 0 not in [v for k, v in counted.items() if k not in ("context_switches", "page_faults")]
    before = again.file.read_text()
    assert again.small().returncode == 0
    assert json.loads(before)["rows"] == json.loads(again.file.read_text())["rows"]


def test_ceilings_and_provenance_are_stored(measured):
    context = json.loads((measured / "jacobi.json").read_text())["context"]
    ceilings = {c["name"]: c for c in context["ceilings"]}
    assert ceilings["cpu_triad_one_thread"]["value"] > 0
    for ceiling in ceilings.values():
        assert (ceiling["value"] is None) == bool(ceiling["reason"])
    assert context["cpu"]["model"]
    assert context["build"]["compiler"]


def cpus_of(affinity):
    """The numbers of "0-3,8"."""
    spans = [span.split("-") for span in affinity.split(",")]
    return [cpu for span in spans for cpu in range(int(span[0]), int(span[-1]) + 1)]


def per_core(file):
    """{name: (value, unit)} of a file's CPU ceilings; of all threads' rates what one of them has."""
    context = json.loads(file.read_text())["context"]
    threads = len(cpus_of(context["cpu"]["affinity"]))
    found = {}
    for one in context["ceilings"]:
        if one["name"].startswith("cpu_") and one["value"] is not None:
            is_shared = one["name"].endswith("_all_threads") and one["unit"] != "us"
            found[one["name"]] = one["value"] / (threads if is_shared else 1), one["unit"]
    assert len(found) >= 10
    return found


def test_ceilings_are_of_the_size_that_their_units_say(measured):
    # No CPU of our time has a hundred times another's; a wrong factor of a unit is a thousand.
    here, reference = per_core(measured / "jacobi.json"), per_core(REFERENCE / "jacobi.json")
    for name, (value, unit) in here.items():
        assert unit == reference[name][1]
        assert 0.01 < value / reference[name][0] < 100, name
    assert here["cpu_l1_latency"] < here["cpu_memory_latency"]


def test_threads_that_openmp_binds_have_all_cpus(program, monkeypatch):
    # It binds a program's first thread before main(), and whoever that starts would inherit the one CPU.
    cpus = sorted(os.sched_getaffinity(0))
    monkeypatch.setenv("OMP_PROC_BIND", "true")
    done = program("run", "jacobi", "--filter", "cpu_naive/512x256/float", "--out", program.out)
    assert done.returncode == 0
    assert cpus_of(json.loads(program.file.read_text())["context"]["cpu"]["affinity"]) == cpus


def test_a_damaged_file_is_refused_before_anything_is_measured(program):
    program.out.mkdir()
    (program.out / "jacobi.json").write_text("{")
    done = program("run", "jacobi", "--out", program.out)
    assert "--fresh sets it aside" in complaint(done)
    assert not done.stdout, "what will be measured is announced first"


def test_fresh_and_another_preset_set_the_old_file_aside(program):
    one = ["run", "jacobi", SHARED, "--filter", "cpu_naive/512x256/float", "--out", program.out]
    for words in ([], ["--fresh"], ["--preset", "paper"]):
        assert program(*one, *words).returncode == 0
    assert (program.out / "jacobi.old-1.json").exists()
    assert (program.out / "jacobi.old-2.json").exists()
    row = next(iter(program.rows().values()))
    # A machine that runs other tests beside it may make it unstable; the sanitizer's is no release build.
    lacking = [why for why in (row["reason"] or "").split("; ") if why and not why.startswith("unstable: ")]
    assert lacking in ([], ["not a release build"])
    assert len(row["process_samples"]) == 3


def with_another_build_id(path):
    """A copy of the program that differs in its build id alone: another binary of the same commit."""
    code = bytearray(BINARY.read_bytes())
    note = code.index(b"\x04\x00\x00\x00\x14\x00\x00\x00\x03\x00\x00\x00GNU\x00")  # SHA-1, 20 bytes
    code[note + 16] ^= 0xFF
    path.write_bytes(code)
    path.chmod(0o755)
    return path


def test_only_the_binary_that_began_a_run_goes_on_with_it(program, tmp_path):
    one = ["run", "jacobi", SHARED, "--filter", "cpu_naive/512x256/float", "--out", program.out]
    other = Program(tmp_path, with_another_build_id(tmp_path / "other"))
    aside = program.out / "jacobi.old-1.json"
    assert program(*one).returncode == 0
    first = program.file.read_text()
    assert program(*one).returncode == 0
    assert not aside.exists()
    assert other(*one).returncode == 0
    assert aside.exists() and json.loads(aside.read_text())["rows"] == json.loads(first)["rows"]
    built, before = (json.loads(text)["context"]["build"] for text in (program.file.read_text(), first))
    assert built["commit"] == before["commit"] and built["build_id"] != before["build_id"]


def test_gpu_rows_without_a_gpu_are_skipped_with_the_reason(program):
    done = program("run", "jacobi", "--filter", "gpu_shared/512x256/float/32x8", "--out", program.out)
    assert done.returncode == 0
    rows = program.rows().values()
    assert rows
    for row in rows:
        assert row["status"] in ("skipped", "estimate")
        assert row["reason"]


def test_profiled_rows_keep_their_names(program):
    done = program("run", "jacobi", "--preset", "paper", "--filter", "l1_hit_rate", "--out", program.out)
    assert done.returncode == 0
    committed = json.loads((REFERENCE / "jacobi.json").read_text())["rows"]
    names = [row["name"] for row in committed if row["quantity"] == "l1_hit_rate"]
    assert len(names) == 7
    assert list(program.rows()) == names
    for row in program.rows().values():
        assert row["quantity"] == "l1_hit_rate"
        assert row["unit"] == "%"


def test_one_metric_of_a_profiled_point_can_be_asked_for(program):
    one = "jacobi/gpu_no_shared/512x256/float/32x8/32x4/l1/l1_hit_rate"
    words = ["--preset", "paper", "--filter", f"^{one}$", "--out", program.out]
    assert program("run", "jacobi", *words).returncode == 0
    assert list(program.rows()) == [one]


def test_it_starts_without_the_drivers_libraries():
    needed = subprocess.run(["ldd", str(BINARY)], capture_output=True, text=True, check=True).stdout
    for library in ("libcuda.so", "libcupti", "libnvidia-ml", "libcusparse"):
        assert library not in needed


@pytest.mark.parametrize("share, line", [(0.3, "30 %"), (0.021, "2 %"), (0.02, None)])
def test_cpu_time_that_the_host_took_is_told_from_two_percent_on(again, share, line):
    """The file keeps the most that any process lost; the second run measures nothing and ends with it."""
    document = json.loads(again.file.read_text())
    document["context"]["clocks"]["cpu_stolen"] = share
    again.file.write_text(json.dumps(document))
    told = again.small()
    assert told.returncode == 0, told.stderr
    taken = [one for one in (told.stdout + told.stderr).splitlines() if "of its CPU time away" in one]
    assert len(taken) == (line is not None)
    assert all(f"the host of this virtual machine took {line} of its CPU time away" in one for one in taken)


# A machine of two NUMA nodes, as hwloc reads it.
def sets(cpus, nodes):
    names = ("cpuset", "complete_cpuset"), ("nodeset", "complete_nodeset")
    return " ".join(
        f'{name}="0x{value:08x}"' for pair, value in zip(names, (cpus, nodes), strict=True) for name in pair
    )


def package(n):
    """One CPU, number n, with a NUMA node of its own."""
    own = sets(1 << n, 1 << n)
    return (
        f'<object type="Package" os_index="{n}" gp_index="{10 + n}" {own}>'
        f'<object type="NUMANode" os_index="{n}" gp_index="{20 + n}" {own} local_memory="1024"/>'
        f'<object type="PU" os_index="{n}" gp_index="{30 + n}" {own}/></object>'
    )


TWO_NODES = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
<object type="Machine" os_index="0" gp_index="1" {sets(3, 3)}>{package(0)}{package(1)}</object>
</topology>"""


def bound_run(folder, cpu):
    """The context of a run that is bound to one CPU of the machine above, and its file."""
    file = folder / "machine.xml"
    file.write_text(TWO_NODES)
    done = subprocess.run(
        [BINARY, "run", "jacobi", "--filter", "cpu_naive/512x256/float", "--out", folder / "out"],
        env=os.environ | {"HWLOC_XMLFILE": str(file)},
        preexec_fn=lambda: os.sched_setaffinity(0, {cpu}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    path = next((folder / "out").glob("*.json"))
    context = json.loads(path.read_text())["context"]
    if context["reasons"].get("topology.packages") == "built without hwloc":
        pytest.skip("built without hwloc")
    return context, path


def test_a_result_file_says_which_nodes_the_run_was_bound_to(tmp_path, program):
    cpu = max(os.sched_getaffinity(0) & {0, 1})
    context, path = bound_run(tmp_path, cpu)
    topology = context["topology"]
    assert (topology["packages"], topology["numa_nodes"]) == (2, {"0": "0", "1": "1"})
    assert topology["bound_numa_nodes"] == context["cpu"]["affinity"] == str(cpu)
    assert topology["gpu_numa_nodes"] is None or context["gpu"]
    if context["gpu"] is None:
        assert context["reasons"]["topology.gpu_numa_nodes"] == "there is no GPU"
    document = json.loads(path.read_text())
    document["context"]["topology"]["bound_numa_nodes"] = "the first"
    path.write_text(json.dumps(document))
    assert "topology.bound_numa_nodes" in complaint(program("claims", "--machine", path.parent))
    del document["context"]["topology"]  # as files from before have none
    path.write_text(json.dumps(document))
    assert program("claims", "--machine", path.parent).returncode == 0
