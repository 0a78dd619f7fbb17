"""Parameters that must be numbers: where on an axis a row stands."""

from ..errors import InputError
from ..selector import plain


def number(row, name, axis, file):
    """The row's parameter of this name, for the axis that asks for it."""
    value = row["parameters"].get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        said = "it has none" if value is None else f"it is '{plain(value)}'"
        raise InputError(file, row["name"], f"{axis} asks for a number under '{name}', but {said}")
    return value
