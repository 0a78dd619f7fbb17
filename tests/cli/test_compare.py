"""`gridmark compare` as its user reads it."""

import json
import subprocess

from conftest import BINARY, ROOT


def test_what_differs_is_said_experiment_by_experiment(tmp_path):
    base = ROOT / "results" / "nvidia-h200"
    for name in ("heat", "maxwell"):
        document = json.loads((base / f"{name}.json").read_text())
        gpu, cpu = document["context"]["gpu"], document["context"]["cpu"]
        was = {"gpu": gpu["name"], "cpu": cpu["model"]}
        gpu["name"] = "another"
        if name == "heat":
            cpu["model"] = "yet another"
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    told = subprocess.run([BINARY, "compare", base, tmp_path], capture_output=True, text=True)
    assert told.returncode == 0
    differences = told.stdout.split("What differs between the machines:\n")[1].split("\n\n")[0]
    assert differences == (
        f"  cpu.model (heat): {was['cpu']} -> yet another\n  gpu.name: {was['gpu']} -> another"
    )
