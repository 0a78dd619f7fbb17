"""Defects made by rule from the code itself: what a tired developer might write instead.

Of the tools for this, universalmutator works on lines of text: it also changes comments, template brackets
and includes, and most of what it makes does not compile. mutmut and cosmic-ray read Python only. So the rules
are here, a table of patterns. Pygments says what is a comment, a string or a directive: those stay.
"""

import re
from pathlib import Path
from typing import NamedTuple

from pygments.lexers import CppLexer, PythonLexer
from pygments.token import Comment, String

OTHER = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "//": "*",
    "%": "/",
    "+=": "-=",
    "-=": "+=",
    "&&": "||",
    "||": "&&",
    "and": "or",
    "or": "and",
    "min": "max",
    "max": "min",
    "floor": "ceil",
    "ceil": "floor",
    "min_element": "max_element",
    "max_element": "min_element",
    "any_of": "all_of",
    "all_of": "any_of",
    "any": "all",
    "all": "any",
    "front": "back",
    "back": "front",
    "true": "false",
    "false": "true",
    "True": "False",
    "False": "True",
    "1e3": "1e6",
    "1e6": "1e3",
    "1e9": "1e6",
    "1e12": "1e9",
    "1e-3": "1e-6",
    "1e-6": "1e-3",
    "1e-9": "1e-6",
    "1e-12": "1e-9",
    "1000": "1024",
    "1024": "1000",
}


def other(match):
    """What stands for the first group; the rest of the match stays."""
    whole, (start, end) = match.group(), match.span(1)
    return whole[: start - match.start()] + OTHER[match.group(1)] + whole[end - match.start() :]


def one_more(match):
    """The constant, its last digit counted up: 8 is 9, 0.05 is 0.06, 9 is 10."""
    head, digits = re.fullmatch(r"(.*?)(\d+)", match.group()).groups()
    return head + str(int(digits) + 1).zfill(len(digits))


def one_less(match):
    """The whole number less one."""
    return str(int(match.group()) - 1)


# Name, pattern, what comes in place of a match. The formatters put binary operators between spaces.
BOTH = [
    ("comparison", r" (<=?|>=?|==|!=) ", other),
    ("arithmetic", r" (\+=?|-=?|\*|//?|%) ", other),
    ("unit", r"(?<![\w.])(1e-?(?:3|6|9|12)|1000|1024)(?![\w.])", other),
    ("constant", r"(?<![\w.])\d+(?:\.\d+)?(?![\w.'])", one_more),
    ("constant", r"(?<![\w.])[1-9]\d*(?![\w.'])", one_less),
    ("truth", r"\b(true|false|True|False)\b", other),
    # Not of min and max, where the order says nothing.
    (
        "swapped arguments",
        r"(?<=\w\()(?<!\bmin\()(?<!\bmax\()([\w.\[\]]+), ([\w.\[\]]+)(?=[,)])",
        lambda m: f"{m[2]}, {m[1]}",
    ),
]
HEAD = r"(?m)^(?! *(?:if|for|while|switch|namespace|struct|class|enum|}))"  # of a function, on one line
CPP = [
    *BOTH,
    ("logic", r" (&&|\|\|) ", other),
    ("logic", r"(?<=[ (])!(?=[\w(])", lambda m: ""),
    ("extreme", r"\b(min|max|floor|ceil|min_element|max_element|any_of|all_of|front|back)(?=\()", other),
    (
        "dropped call",
        r"(?m)^([ \t]+)(?!return|static_assert|if|for|while)[\w:.\[\]>-]+\([^;\n]*\);$",
        r"\1;",
    ),
    ("dropped guard", r"(?m)^([ \t]+)if \(.*\) (?:return|continue|break|throw)\b[^\n]*;$", r"\1;"),
    ("early return", HEAD + r"(?!.*\bvoid\b)[\w ].*\)(?: const)? \{$", r"\g<0> return {};"),
    ("early return", HEAD + r"[\w ]*void .*\)(?: const)? \{$", r"\g<0> return;"),
    ("branches", r"(?<=\? )([\w.]+) : ([\w.]+)(?=[;,)])", lambda m: f"{m[2]} : {m[1]}"),
]
PYTHON = [
    *BOTH,
    ("logic", r" (and|or) ", other),
    ("logic", r"\bnot (?!in\b)", lambda m: ""),
    ("extreme", r"(?<![\w.])(min|max|any|all)(?=\()", other),
    ("dropped call", r"(?m)^( +)(?!return|raise|yield)[\w.\[\]]+\([^\n]*\)$", r"\1pass"),
    ("dropped guard", r"(?m)^( +if )[^\n]*(?=:\n +(?:return|continue|break|raise)\b)", r"\1False"),
    ("branches", r"(?<=return )([\w.]+)( if [^\n]* else )([\w.]+)$", lambda m: m[3] + m[2] + m[1]),
]


class Defect(NamedTuple):
    """A change of one place of a file: characters from `start` to `end` become `new`."""

    file: str
    rule: str
    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """The file's text with the defect."""
        return text[: self.start] + self.new + text[self.end :]

    def lines(self, text: str) -> tuple[str, str]:
        """The line where it stands, without it and with it."""
        first = text.rfind("\n", 0, self.start) + 1
        last = text.find("\n", self.end)
        old = text[first:last]
        return old.strip(), (text[first : self.start] + self.new + text[self.end : last]).strip()


def code_only(file: str, text: str) -> str:
    """The text with blanks for comments, strings and directives; every character keeps its place."""
    lexer = PythonLexer() if file.endswith(".py") else CppLexer()
    kept = []
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        is_code = kind not in Comment and kind not in String
        kept.append(value if is_code else re.sub(r"[^\n]", " ", value))
    return "".join(kept)


def defects_of(file: str, text: str) -> list[Defect]:
    """All that the rules make of a file."""
    code = code_only(file, text)
    found = []
    for rule, pattern, new in PYTHON if file.endswith(".py") else CPP:
        for match in re.finditer(pattern, code):
            changed = new(match) if callable(new) else match.expand(new)
            if changed != match.group():
                found.append(Defect(file, rule, match.start(), match.end(), changed))
    return found


def part_of(file: str) -> str | None:
    """The part of the product that a file belongs to; none for what is not product code."""
    path = Path(file)
    if path.suffix not in (".cpp", ".hpp", ".cu", ".cuh", ".py"):
        return None
    if "ranks" in file and path.parts[0] in ("kernels", "harness", "experiments"):
        return "ranks"
    if path.parts[0] == "plots" or path.parts[:2] == ("harness", "export"):
        return "plots and export"
    if path.parts[0] in ("kernels", "experiments"):
        return path.parts[0]
    if path.parts[0] != "harness":
        return None
    pure = ("statistics", "results", "verdicts", "compare", "model", "forecast")
    return "pure" if len(path.parts) == 2 or path.parts[1] in pure else "run and sampling"


def drawn(root: Path, files: list[str], part: str, random):
    """Defects of a part, one by one, until there are no more: a rule is drawn, then one of its places."""
    by_rule: dict[str, list[Defect]] = {}
    for file in files:
        if part_of(file) == part:
            for defect in defects_of(file, (root / file).read_text()):
                by_rule.setdefault(defect.rule, []).append(defect)
    while by_rule:
        rule = random.choice(sorted(by_rule))
        yield by_rule[rule].pop(random.randrange(len(by_rule[rule])))
        if not by_rule[rule]:
            del by_rule[rule]
