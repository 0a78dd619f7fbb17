"""`python -m gridmark_plots COMMAND`: JSON in; tables, graphs and one page out."""

import argparse
import os
import sys
from functools import partial
from pathlib import Path

from . import binary, fields, jsonfile, streams
from .errors import InputError
from .results import find_folders, read_machines, read_published
from .studies import read_studies

# Each command imports what draws only after it has read and checked its input: Matplotlib takes seconds.
ROOT = Path(__file__).resolve().parents[2]


def _arguments():
    # Commands do not have it from their parser.
    whole = partial(argparse.ArgumentParser, allow_abbrev=False)
    parser = whole(prog="gridmark_plots", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, parser_class=whole)
    one = commands.add_parser(
        "report", help="every study's tables and graphs, the verdicts and the provenance"
    )
    one.add_argument("--machines", type=Path, nargs="*", default=[], help="directories of measured results")
    one.add_argument("--out", type=Path, default=Path("report"), help="where to write [report]")
    one.add_argument("--fields", type=Path, help="solved fields: <experiment>-<figure>.h5")
    one.add_argument(
        "--ratios", type=Path, nargs="+", default=[], help="saved ratios, in place of the binary's"
    )
    two = commands.add_parser("compare", help="two machines side by side")
    two.add_argument("base", type=Path, nargs="?", help="directory of results")
    two.add_argument("new", type=Path, nargs="?", help="directory of results")
    two.add_argument("--out", type=Path, default=Path("report/comparison"), help="where to write")
    two.add_argument("--comparison", type=Path, help="a saved comparison, in place of the binary's")
    three = commands.add_parser("fields", help="solve the fields that figures draw, each once")
    three.add_argument("--out", type=Path, default=Path("build/fields"), help="where to keep them")
    four = commands.add_parser("machines", help="any number of machines side by side, each by its own limits")
    four.add_argument("folders", nargs="*", help="directories of results, or names of some in --results")
    four.add_argument("--out", type=Path, default=Path("report/machines"), help="where to write")
    five = commands.add_parser("own", help="graphs over the axes of `gridmark run --axis`")
    five.add_argument("folder", type=Path, help="directory of results")
    five.add_argument("--out", type=Path, default=Path("report/own"), help="where to write")
    six = commands.add_parser("scaling", help="efficiency over MPI ranks, measured and by the model")
    six.add_argument("set", type=Path, nargs="?", help="directory of results of `gridmark run --ranks`")
    six.add_argument("--network", type=Path, help="file with a network between nodes: goes on beyond them")
    six.add_argument("--out", type=Path, default=Path("report/scaling"), help="where to write")
    six.add_argument("--scaling", type=Path, help="saved curves, in place of the binary's")
    for command in (one, four, five):
        command.add_argument(
            "--results", type=Path, default=Path("results"), help="holds published/ [results]"
        )
        command.add_argument(
            "--schema", type=Path, default=ROOT / "harness" / "result.schema.json", help="of a result"
        )
        command.add_argument(
            "--verdicts", type=Path, nargs="+", default=[], help="saved verdicts, in place of the binary's"
        )
    for command in (one, three, four, five):
        command.add_argument(
            "--experiments", type=Path, default=ROOT / "experiments", help="<study>/study.json"
        )
    for command in (one, two, three, four, six):
        command.add_argument("--gridmark", type=Path, default=ROOT / "build" / "gridmark", help="the binary")
    return parser


def _read(given, directories, forecasts=False):
    """(the studies, the published sets, the machines in these directories)."""
    studies = read_studies(given.experiments)
    experiments = {study["id"] for study in studies}
    published = read_published(given.results, experiments, given.schema)
    found = read_machines(directories, experiments, given.schema, forecasts)
    for machine in found:
        for name in machine.ignored:
            print(f"{machine.directory / name}: no study of this name, not read", file=sys.stderr)
    return studies, published, found


def _report(given):
    studies, published, measured = _read(given, given.machines)
    verdicts = binary.verdicts(measured, given.gridmark, given.verdicts)
    ratios = binary.ratios(measured, given.gridmark, given.ratios)
    if given.fields and not given.fields.is_dir():
        raise InputError(given.fields, None, "no such directory of fields")
    from . import report

    views = report.views_of(studies, measured, published, verdicts, ratios, given.fields)
    return report.write(given.out, views, measured, published)


def _compare(given):
    if given.comparison:
        answer = jsonfile.check(jsonfile.read(given.comparison), "comparison", given.comparison)
    elif given.base is None or given.new is None:
        raise InputError("compare", None, "takes two directories of results, BASE and NEW")
    else:
        answer = binary.ask(given.gridmark, ["compare", given.base, given.new, "--json"], "comparison")
    from . import comparison

    return comparison.write(given.out, answer)


def _machines(given):
    if not given.folders:
        raise InputError("machines", None, "takes at least one directory of results")
    studies, published, found = _read(given, find_folders(given.folders, given.results), forecasts=True)
    measured = [machine for machine in found if machine.measured]
    verdicts = binary.verdicts(measured, given.gridmark, given.verdicts)
    from . import machines

    return machines.write(given.out, studies, found, published, verdicts)


def _fields(given):
    return fields.make(read_studies(given.experiments), given.gridmark, given.out)


def _own(given):
    _, _, (machine,) = _read(given, [given.folder])
    from . import own

    return own.write(given.out, machine)


def _scaling(given):
    if given.scaling:
        if given.set or given.network:
            raise InputError("scaling", None, "takes saved curves, or a directory of results and a network")
        answer = jsonfile.check(jsonfile.read(given.scaling), "scaling", given.scaling)
    elif given.set is None:
        raise InputError("scaling", None, "takes a directory of results of `gridmark run --ranks`")
    else:
        named = ["--network", given.network] if given.network else []
        answer = binary.ask(given.gridmark, ["scaling", given.set, *named, "--json"], "scaling")
    network = jsonfile.read(given.network) if given.network else None  # the binary has checked it
    from . import scaling

    return scaling.write(given.out, answer, given.scaling or given.set, network)


COMMANDS = {
    "report": _report,
    "compare": _compare,
    "machines": _machines,
    "fields": _fields,
    "own": _own,
    "scaling": _scaling,
}


def main(arguments=None):
    """Run one command; 0 done, 2 bad usage or bad input."""
    os.environ.pop("MPLBACKEND", None)  # one that Matplotlib does not know would stop it
    given = _arguments().parse_args(arguments)
    try:
        written = COMMANDS[given.command](given)
    except InputError as error:
        print(f"gridmark_plots: {error}", file=sys.stderr)
        return 2
    for path in written:
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(streams.run("gridmark_plots", main))
