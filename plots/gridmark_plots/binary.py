"""Asking the `gridmark` binary for verdicts, ratios and comparisons: the only place that decides them."""

import subprocess
from pathlib import Path

from . import jsonfile
from .errors import InputError


def ask(binary, arguments, schema):
    """What `gridmark ARGUMENTS` prints, as checked JSON."""
    name = " ".join([str(binary), *map(str, arguments)])
    try:
        done = subprocess.run(
            [str(binary), *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
        )
    except OSError as error:
        raise InputError(
            binary, None, f"cannot be started: {error.strerror}; build it or name it by --gridmark"
        ) from None
    except subprocess.TimeoutExpired:
        raise InputError(name, None, "gave no answer in 300 s") from None
    if done.returncode != 0:
        said = (done.stderr.strip() or "it said nothing").splitlines()[-1]
        raise InputError(name, None, f"exit code {done.returncode}: {said}")
    return jsonfile.check(jsonfile.parse(done.stdout, name), schema, name)


def _from_files(files, machines, schema):
    found = {}
    for file in files:
        value = jsonfile.check(jsonfile.read(file), schema, file)
        key = Path(value.get("directory", "")).name
        if key not in {machine.key for machine in machines}:
            raise InputError(
                file, "directory", f"'{value.get('directory', '')}' is none of the machines asked for"
            )
        found[key] = value
    return found


def _per_machine(machines, command, schema, gridmark, files):
    if files:
        return _from_files(files, machines, schema)
    return {
        machine.key: ask(gridmark, [command, "--json", "--machine", machine.directory], schema)
        for machine in machines
    }


def verdicts(machines, gridmark, files=()):
    """{machine key: {(experiment, claim id): claim}}, from the binary or from saved files."""
    answers = _per_machine(machines, "claims", "verdicts", gridmark, files)
    return {
        key: {(claim["experiment"], claim["id"]): claim for claim in value["claims"]}
        for key, value in answers.items()
    }


def ratios(machines, gridmark, files=()):
    """{machine key: {(experiment, table id): [row, ...]}}, from the binary or from saved files.

    Machines get the derived rows that their sets lack.
    """
    answers = _per_machine(machines, "tables", "ratios", gridmark, files)
    for machine in machines:
        for row in answers.get(machine.key, {}).get("derived", []):
            if row["experiment"] in machine.sets:
                machine.sets[row["experiment"]].rows.append(row)
    return {
        key: {(table["experiment"], table["id"]): table["rows"] for table in value["tables"]}
        for key, value in answers.items()
    }
