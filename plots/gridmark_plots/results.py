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


def _checked_set(path, document, schema, forecasts):
    version = jsonfile.read(schema)["properties"]["schema_version"]
    if document.get("schema_version") != version["const"]:
        raise InputError(path, "schema_version", version["description"])
    value = jsonfile.check(document, schema, path)
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
