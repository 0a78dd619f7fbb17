"""Studies: what `experiments/<study>/study.json` declares of tables, figures and claims."""

from pathlib import Path

from . import jsonfile, units
from .errors import InputError


def read_studies(root):
    """Every study below `root`, in the order of their names."""
    paths = sorted(Path(root).glob("*/study.json"))
    if not paths:
        raise InputError(root, None, "holds no <study>/study.json")
    return [_read_study(path) for path in paths]


def _read_study(path):
    study = jsonfile.check(jsonfile.read(path), "study", path)
    if study["id"] != path.parent.name:
        raise InputError(path, "id", f"'{study['id']}' does not fit the folder's name")
    for kind in ("tables", "figures", "claims", "causes"):
        ids = [entry["id"] for entry in study.get(kind, [])]
        twins = sorted({name for name in ids if ids.count(name) > 1})
        if twins:
            raise InputError(path, kind, f"the id '{twins[0]}' stands twice")
    claims = {claim["id"] for claim in study["claims"]}
    for table in study["tables"]:
        _check_table(table, path)
        _check_claims("tables", table, claims, path)
    for cause in study.get("causes", []):
        _check_claims("causes", cause, claims, path)
    for figure in study["figures"]:
        _check_figure(figure, path)
    for index, sentence in enumerate(study.get("sentences", [])):
        _check_claims("sentences", {"id": index, **sentence}, claims, path)
    return {**study, "file": str(path)}


def _check_figure(figure, path):
    if figure["kind"] == "slice" and figure["x_axis"] == figure["axis"]:
        key = f"figures.{figure['id']}.x_axis"
        raise InputError(path, key, f"{figure['x_axis']} is the axis that is cut")


def _check_claims(kind, entry, claims, path):
    for claim in entry.get("claims", []):
        if claim not in claims:
            raise InputError(path, f"{kind}.{entry['id']}.claims", f"no claim '{claim}'")


def _check_table(table, path):
    columns = {column["id"] for column in table["columns"]}
    for column in table["columns"]:
        unit = column.get("unit", table["unit"])
        if column.get("total", False) and unit not in units.SECONDS:
            key = f"tables.{table['id']}.{column['id']}.total"
            raise InputError(path, key, f"needs a unit of time, its unit is '{unit}'")
    for role in ("numerator", "denominator"):
        if table.get("ratio", {}).get(role, "") not in {"", *columns}:
            raise InputError(
                path, f"tables.{table['id']}.ratio.{role}", f"no column '{table['ratio'][role]}'"
            )


def published_machines(study, entry, published):
    """The published sets that a table or a figure stands beside."""
    found = []
    for device in entry.get("published", []):
        if device not in published or study["id"] not in published[device].sets:
            place = f"{entry['id']}.published"
            raise InputError(study["file"], place, f"no results/published/{device}/{study['id']}.json")
        found.append(published[device])
    return found
