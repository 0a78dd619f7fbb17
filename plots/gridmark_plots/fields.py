"""The fields that contour figures draw: solved by the binary, once."""

import hashlib
import json
import subprocess

from .errors import InputError


def _arguments(experiment, solve):
    settings = [f"{key}={value}" for key, value in sorted(solve["set"].items())]
    return ["solve", experiment, "--variant", solve["variant"], *(w for s in settings for w in ("--set", s))]


def solve_all(studies, gridmark, out):
    """Solve the field of every contour figure into OUT/<experiment>-<figure>.h5; one that was solved with the same
    arguments is kept. Returns the files."""
    out.mkdir(parents=True, exist_ok=True)
    files = []
    for study in studies:
        for figure in study["figures"]:
            if "solve" not in figure:
                continue
            file = out / f"{study['id']}-{figure['id']}.h5"
            arguments = _arguments(study["id"], figure["solve"])
            mark = file.with_suffix(".key")
            key = hashlib.sha256(json.dumps(arguments).encode()).hexdigest()
            if not (file.exists() and mark.exists() and mark.read_text() == key):
                _solve(gridmark, [*arguments, "--out", str(file)])
                mark.write_text(key)
            files.append(file)
    return files


def _solve(gridmark, arguments):
    try:
        done = subprocess.run([str(gridmark), *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise InputError(gridmark, None, f"cannot be started: {error.strerror}") from None
    if done.returncode != 0:
        said = (done.stderr.strip() or "it said nothing").splitlines()[-1]
        raise InputError(" ".join(arguments), None, f"exit code {done.returncode}: {said}")
