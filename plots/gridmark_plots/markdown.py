"""Markdown: escaping, pipes tables, and a table model printed as one."""

import re

from .numbers import DASH

_SPECIAL = str.maketrans({character: "\\" + character for character in "\\`*_[]<>|#~"})


def escape(text):
    """Text that Markdown shows as it is, on one line."""
    return re.sub(r"\r\n|\n|\r", " ", str(text).translate(_SPECIAL).replace("&", "&amp;"))


def pipes(headings, lines, numeric=()):
    """A pipe table; the columns at the positions `numeric` are aligned to the right."""
    rules = ["---:" if index in numeric else "---" for index in range(len(headings))]
    every = [map(escape, headings), rules, *(map(escape, line) for line in lines)]
    return "\n".join("| " + " | ".join(line) + " |" for line in every) + "\n"


def value_text(value):
    """A value with its interval, its mark and its note."""
    parts = [value.text]
    if value.interval_text:
        parts.append(f"({value.interval_text})")
    if value.share:
        parts.append(value.share)
    if value.estimate:
        parts.append("est.")
    if value.note:
        parts.append(f"[{value.note}]")
    return " ".join(parts)


def cell_text(cell):
    """A cell's values, or a dash."""
    return "; ".join(value_text(value) for value in cell) if cell else DASH


def render(table):
    """The table as Markdown text, its sentences below."""
    text = ""
    if table.lines:
        headings = [*table.keys, *(f"{group.label}: {column.heading}" for group, column in table.columns)]
        lines = [[*key, *(cell_text(cell) for cell in cells)] for key, cells in table.lines]
        text = pipes(headings, lines, range(len(table.keys), len(headings))) + "\n"
    return text + "".join(f"- {escape(note)}\n" for note in table.notes)


def tidy(text):
    """No line of spaces and never two empty lines in a row."""
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text)).rstrip("\n") + "\n"
