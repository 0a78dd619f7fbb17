"""Result sets: one machine's results directory, by path or name, or the published numbers taken as one."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from . import jsonfile, parallel
from .errors import InputError
from .resultfiles import named, result_files
from .selector import FORECAST


def find_folders(names, results):
    """The folders named: a bare name is looked up in `results`, then in `results/published`."""
    return [_find_folder(name, Path(results)) for name in names]


def _find_folder(name, results):
    path = Path(name)
    if len(path.parts) != 1 or path.is_absolute() or name in (".", ".."):
        return path
    places = [results / name, results / "published" / name]
    for place in places:
        if place.is_dir():
            return place
    if path.is_dir():
        return path
    raise InputError(name, None, f"no such folder of results, nor {places[0]} or {places[1]}")


INCOMPLETE = "INCOMPLETE"


@dataclass(frozen=True)
class ResultSet:
    """One experiment's result file."""

    path: Path
    context: dict
    rows: list

    @property
    def complete(self):
        """Whether every row that the run planned was measured or skipped."""
        return self.context["complete"]


@dataclass
class Machine:
    """A directory of result files; `key` is the directory's name."""

    key: str
    directory: Path
    name: str
    published: bool
    forecast: bool = False
    sets: dict = field(default_factory=dict)
    ignored: list = field(default_factory=list)

    def complete(self, experiment=None):
        """Whether one experiment's results, or all of them, are complete."""
        wanted = self.sets.values() if experiment is None else [self.sets.get(experiment)]
        return all(found is None or found.complete for found in wanted)

    def label(self, experiment=None):
        """The name as text, with the mark when results are incomplete."""
        return self.name if self.complete(experiment) else f"{self.name} ({INCOMPLETE})"

    @property
    def plain_name(self):
        """The name without the word that a published set's has."""
        return self.name.removesuffix(" (published)")

    @property
    def measured(self):
        """Whether its numbers were measured here: not published, and no forecast."""
        return not self.published and not self.forecast

    def rows(self, experiment):
        """The experiment's rows, none when it has no file here."""
        return self.sets[experiment].rows if experiment in self.sets else []


_RENAMED = {"pair": "group", "launches": "process_samples"}
_OF_MAXWELL = {"layers": "slab_depth", "trip": "steps_per_pass"}
_LEFT_OUT = ("run_type", "real_time", "cpu_time", "time_unit")


def current_version(document):
    """A result file of version 1 as one of version 2 (harness/result.schema.json), the link's ceilings by
    their present names; any other as it is."""
    if not isinstance(document, dict):
        return document
    if document.get("schema_version") == 1:
        document = _raised(document)
    return _with_links(document)


def _with_links(document):
    """The link's ceilings were named after PCIe; a link may be another one."""

    def renamed(holder, key):
        name = holder.get(key) if isinstance(holder, dict) else None
        if not isinstance(name, str) or not name.startswith("pcie_"):
            return holder
        return holder | {key: name.replace("pcie_", "link_", 1)}

    def of_row(row):
        return (
            row | {"limit": renamed(row["limit"], "ceiling")}
            if isinstance(row, dict) and "limit" in row
            else row
        )

    context, rows = document.get("context"), document.get("rows")
    if isinstance(context, dict) and isinstance(context.get("ceilings"), list):
        context = context | {"ceilings": [renamed(one, "name") for one in context["ceilings"]]}
    if isinstance(rows, list):
        rows = [of_row(row) for row in rows]
    return document | {key: new for key, new in (("context", context), ("rows", rows)) if key in document}


def _raised(document):
    document = {"rows" if key == "benchmarks" else key: value for key, value in document.items()}
    document["schema_version"] = 2
    if isinstance(document.get("context"), dict) and "process_launches" in document["context"]:
        context = dict(document["context"])
        document["context"] = context
        context["processes"] = context.pop("process_launches")
    if isinstance(document.get("rows"), list):
        document["rows"] = [_current_row(row) if isinstance(row, dict) else row for row in document["rows"]]
    return document


def _current_row(row):
    row = {_RENAMED.get(key, key): value for key, value in row.items() if key not in _LEFT_OUT}
    if row.get("experiment") == "maxwell" and isinstance(row.get("parameters"), dict):
        row["parameters"] = {_OF_MAXWELL.get(key, key): value for key, value in row["parameters"].items()}
    return row


def _checked_set(path, document, schema, forecasts):
    is_old = isinstance(document, dict) and document.get("schema_version") == 1
    label = f"{path}, read as version 2" if is_old else path
    value = jsonfile.check(current_version(document), schema, label)
    if value["context"]["cpu"].get("emulated") is True:
        raise InputError(path, None, "its processor was emulated: these times are no measurements")
    if value["context"]["preset"] == FORECAST and not forecasts:
        raise InputError(path, None, "holds forecasts, which are no measurements")
    named = value["context"]["experiment"]
    if named != path.stem:
        raise InputError(path, "context.experiment", f"'{named}' does not fit the file's name")
    return ResultSet(path, value["context"], value["rows"])


def read_machine(directory, experiments, schema, forecasts=False):
    """A machine with the result files of the known experiments; the names of others are kept as ignored.

    Forecasts are refused where they are not asked for.
    """
    directory = Path(directory)
    if not directory.is_dir():
        raise InputError(directory, None, "no such directory of results")
    machine = Machine(directory.resolve().name, directory, "", False)
    for path, document in result_files(directory, jsonfile.read):
        if path.stem in experiments:
            machine.sets[path.stem] = _checked_set(path, document, schema, forecasts)
        else:
            machine.ignored.append(path.name)
    if not machine.sets:
        why = "holds no result file of a known experiment"
        raise InputError(next(iter(named(directory)), directory), None, why)
    contexts = [machine.sets[name].context for name in sorted(machine.sets)]
    machine.name = contexts[0]["machine"]
    machine.published = any(context.get("published", False) for context in contexts)
    machine.forecast = any(context["preset"] == FORECAST for context in contexts)
    if machine.forecast:
        machine.name += " (forecast)"
    return machine


def read_published(results, experiments, schema):
    """Every published set below `results/published`, by its directory's name."""
    root = Path(results) / "published"
    folders = sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    return {folder.name: read_machine(folder, experiments, schema) for folder in folders}


def read_machines(directories, experiments, schema, forecasts=False):
    """The measured machines in the order given; two of one name are told apart by their directories."""
    machines = parallel.each(
        [partial(read_machine, directory, experiments, schema, forecasts) for directory in directories]
    )
    keys = [machine.key for machine in machines]
    names = [machine.name for machine in machines]
    for machine in machines:
        if keys.count(machine.key) > 1:
            raise InputError(machine.directory, None, "another machine's directory has the same name")
        if names.count(machine.name) > 1:
            machine.name = f"{machine.name} [{machine.key}]"
    return machines
