"""Solved fields for the figures that draw them: one HDF5 file each, by the binary's `solve`."""

import json
import subprocess
import sys

from .errors import InputError

KINDS = ("contour", "slice")  # of figures that draw a field


def command(study, spec, gridmark, path):
    """The `gridmark solve` that makes a figure's field, or None for a figure that declares none."""
    solve = spec.get("solve")
    if spec["kind"] not in KINDS or solve is None:
        return None
    settings = dict(solve.get("set", {}))
    if "residual" in solve:
        settings["residual"] = solve["residual"]
    words = [str(gridmark), "solve", study["id"], "--variant", solve["variant"]]
    for key, value in settings.items():
        words += ["--set", f"{key}={json.dumps(value) if isinstance(value, bool) else value}"]
    return [*words, "--out", str(path)]


def _solve(words, path):
    """Run one solve; a sentence when it failed."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=900, check=False)
    except OSError as error:
        raise InputError(words[0], None, f"cannot be started: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        return "gave no answer in 900 s"
    if done.returncode != 0:
        path.unlink(missing_ok=True)
        return (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
    return None


def make(studies, gridmark, out):
    """Solve what is not there yet; the paths of all fields. A failed one is told on stderr."""
    found = []
    for study in studies:
        for spec in study["figures"]:
            path = out / f"{study['id']}-{spec['id']}.h5"
            words = command(study, spec, gridmark, path)
            if words is None:
                continue
            note = path.with_suffix(".command")
            if not path.exists() or not note.exists() or note.read_text() != " ".join(words):
                out.mkdir(parents=True, exist_ok=True)
                note.unlink(missing_ok=True)
                failure = _solve(words, path)
                if failure is not None:
                    print(f"gridmark_plots: {path.name}: not solved: {failure}", file=sys.stderr)
                    continue
                note.write_text(" ".join(words))
            found.append(path)
    return found
