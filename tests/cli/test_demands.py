"""scripts/demands.py: what it makes of a profiler's answer and of what variants declare."""

import csv
import json
import os
import re
import subprocess
import sys

import pytest
from conftest import BINARY, ROOT, complaint

sys.path.insert(0, str(ROOT / "scripts"))

import demands

BUILD = {"commit": "0123456789abcdef", "dirty": False, "gpu": "NVIDIA H100"}
COUNTERS = [name for names, _ in demands.QUANTITIES.values() for name in names]


def launch(name, blocks, instructions=1000, **counters):
    """A launch as the profiler tells it."""
    row = {"Kernel Name": f"void {name}(T1 *, int)", "Grid Size": f"({blocks}, 1, 1)"}
    return row | dict.fromkeys(COUNTERS, 0) | {"smsp__inst_executed.sum": instructions} | counters


def kernel(units, name="", blocks=8, times=1):
    """A kernel as a variant declares it."""
    return {"kernel": name, "blocks": blocks, "times": times, "units": [*units, *[0] * (3 - len(units))]}


def put(folder, points, launches, study="heat-0", build=BUILD):
    """Writes what a study's points declared and what the profiler counted of them."""
    with (folder / f"{study}.jsonl").open("w") as file:
        for line in [build, *points]:
            file.write(json.dumps(line) + "\n")
    with (folder / f"{study}.csv").open("w") as file:
        file.write("==PROF== Connected to process 1\n")
        writer = csv.DictWriter(file, ["ID", *launch("", 1)], quoting=csv.QUOTE_ALL)
        writer.writeheader()
        file.write('"","","",' + ",".join('"inst"' for _ in COUNTERS) + "\n")
        for number, each in enumerate(launches):
            words = {key: f"{value:,}" if key in COUNTERS else value for key, value in each.items()}
            writer.writerow({"ID": number, **words})


def point(name, *kernels, counted_as="heat/gpu_a/float"):
    """A point with its kernels."""
    return {"name": name, "counted_as": counted_as, "kernels": list(kernels)}


def written(folder):
    """Exit code, what was said, and the generated file's lines of numbers, by variant and kernel."""
    out = folder / "counted.cpp"
    command = [sys.executable, ROOT / "scripts" / "demands.py", "--from", folder, "--out", out]
    done = subprocess.run(command, capture_output=True, text=True)
    text = out.read_text() if out.exists() else ""
    lines = re.findall(r'^ *\{("[^"]*"), ("[^"]*"), (.*)\},  // (.*)$', text, re.M)
    table = {
        (json.loads(variant), json.loads(name)): (
            json.loads("[" + numbers.replace("{", "[").replace("}", "]") + "]"),
            comment,
        )
        for variant, name, numbers, comment in lines
    }
    return done, text, table


def test_the_cost_of_each_unit_is_found_from_several_sizes(tmp_path):
    sizes = [(100, 4), (400, 16), (900, 5)]
    points = [point(f"heat/gpu_a/{rows}", kernel([rows, warps])) for rows, warps in sizes]
    put(tmp_path, points, [launch("step_kernel<float>", 8, 30 * rows + 7 * warps) for rows, warps in sizes])
    done, text, table = written(tmp_path)
    assert done.returncode == 0, done.stderr
    (instructions, *others), comment = table["heat/gpu_a/float", ""]
    assert instructions == pytest.approx([30, 7, 0], rel=1e-3)
    assert others == [[0, 0, 0]] * 3
    assert comment == "3, 0.0%"
    assert "// NVIDIA H100, commit 0123456789ab: heat" in text


def test_what_does_not_grow_like_the_units_shows_as_an_error(tmp_path):
    points = [point(f"heat/gpu_a/{rows}", kernel([rows])) for rows in (100, 200)]
    put(tmp_path, points, [launch("step_kernel<float>", 8, 1000), launch("step_kernel<float>", 8, 3000)])
    _, _, table = written(tmp_path)
    # The least sum of squared relative errors.
    numbers, comment = table["heat/gpu_a/float", ""]
    assert numbers[0][0] == pytest.approx((1 / 10 + 1 / 15) / (1 / 10**2 + 1 / 15**2), rel=1e-3)
    assert float(comment.split(", ")[1].rstrip("%")) == pytest.approx(23.1, abs=0.1)


def test_counters_become_bytes_and_operations(tmp_path):
    counters = {
        "l1tex__data_pipe_lsu_wavefronts.sum": 30,
        "l1tex__data_pipe_tex_wavefronts.sum": 20,
        "lts__t_sectors_srcunit_tex.sum": 70,
        "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": 1000,
        "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 500,
        "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum": 250,
    }
    put(tmp_path, [point("heat/gpu_a/1", kernel([10]))], [launch("step_kernel<float>", 8, 1000, **counters)])
    _, _, table = written(tmp_path)
    numbers, _ = table["heat/gpu_a/float", ""]
    assert [each[0] for each in numbers] == pytest.approx([100, 128 * 5, 32 * 7, 2 * 175])


def test_kernels_of_one_step_are_told_apart_by_their_names_and_blocks(tmp_path):
    declared = [
        kernel([10], "e_kernel", times=2),
        kernel([10], "h_kernel"),
        kernel([4], "reduce_kernel|finish_kernel", blocks=4),
        kernel([2], "reduce_kernel|finish_kernel", blocks=2),
        kernel([]),  # of which nothing is counted
    ]
    launches = [
        launch("e_kernel<float>", 8, 100),
        launch("advance_wave_kernel<float>", 1, 5),
        launch("e_kernel<float>", 8, 300),
        launch("h_kernel<float>", 8, 70),
        launch("reduce_kernel<float>", 4, 44),
        launch("finish_kernel<float>", 2, 22),
    ]
    put(tmp_path, [point("heat/gpu_a/1", *declared)], launches)
    done, _, table = written(tmp_path)
    assert done.returncode == 0, done.stderr
    costs = {name: numbers[0][0] for (_, name), (numbers, _) in table.items()}
    assert costs == {"e_kernel": 20, "h_kernel": 7, "reduce_kernel|finish_kernel": 11}


def test_an_instance_is_told_by_its_last_argument(tmp_path):
    points = [point(f"heat/gpu_a/{k}", kernel([10], f", {k}>")) for k in (0, 1)]
    launches = [launch("step_kernel<float, 0>", 8, 90), launch("step_kernel<float, 1>", 8, 60)]
    put(tmp_path, points, launches)
    _, _, table = written(tmp_path)
    assert {name: numbers[0][0] for (_, name), (numbers, _) in table.items()} == {", 0>": 9, ", 1>": 6}


@pytest.mark.parametrize(
    ("declared", "launched", "says"),
    [
        (kernel([10], "e_kernel"), ["h_kernel"], "heat/gpu_a/1: 0 launches of e_kernel, 1 declared"),
        (kernel([10], times=2), ["e_kernel"], "heat/gpu_a/1: 1 launches of , 2 declared"),
        (kernel([10]), ["e_kernel", "e_kernel"], "more launches than the variants declare"),
    ],
)
def test_launches_that_nobody_declares_are_refused(tmp_path, declared, launched, says):
    put(tmp_path, [point("heat/gpu_a/1", declared)], [launch(f"{name}<float>", 8) for name in launched])
    done, text, _ = written(tmp_path)
    assert done.returncode == 1
    assert says in done.stderr
    assert text == ""


def test_a_build_with_changes_is_named_as_such(tmp_path):
    put(
        tmp_path,
        [point("heat/gpu_a/1", kernel([10]))],
        [launch("k<float>", 8)],
        build=BUILD | {"dirty": True},
    )
    _, text, _ = written(tmp_path)
    assert "// NVIDIA H100, commit 0123456789ab with changes: heat" in text


def test_the_blocks_that_a_variant_declares_stand_beside_those_launched(tmp_path):
    put(tmp_path, [point("heat/gpu_a/1", kernel([10], blocks=8))], [launch("k<float>", 10)])
    done, _, _ = written(tmp_path)
    assert done.stdout.splitlines()[-1].endswith("| 25.0% |")


def test_the_generated_file_tells_a_number_that_was_changed_by_hand(tmp_path):
    put(tmp_path, [point("heat/gpu_a/1", kernel([10]))], [launch("k<float>", 8, 1230)])
    _, text, _ = written(tmp_path)
    assert demands.checksum(text) in text.splitlines()
    assert demands.checksum(text.replace("{123, ", "{124, ")) not in text.splitlines()
    committed = demands.TARGET.read_text()
    assert demands.checksum(committed) in committed.splitlines(), "it was edited: run make demands"


def test_the_committed_counts_explain_what_was_counted():
    # Where caches decide what crosses between L2 and multiprocessors, units alone explain less.
    lines = re.findall(r"\},  // (\d+), ([\d.]+)%$", demands.TARGET.read_text(), re.M)
    errors = sorted(float(error) for _, error in lines)
    assert len(errors) > 100
    assert all(int(cases) >= 2 for cases, _ in lines)
    assert errors[-1] <= 36
    assert errors[len(errors) * 9 // 10] <= 15
    assert errors[len(errors) // 2] <= 5


def test_without_a_gpu_nothing_is_launched_and_the_reason_told():
    done = subprocess.run(
        [BINARY, "_demands", "jacobi"],
        env=os.environ | {"CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search("CUDA|GPU", complaint(done, code=1))
    assert done.stdout == ""
