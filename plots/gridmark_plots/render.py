"""Writing: Jinja2 set up once with its escapes, and files below one directory, whole or not at all."""

import base64
import hashlib
import itertools
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from . import claims, generations, markdown, numbers, units
from .errors import InputError
from .figures import canvas, compact
from .samples import Samples

DIGESTS = "SHA256SUMS"


def digests_of(output, folders):
    """The text of a file for `sha256sum --check`: every file written below the folders."""
    names = sorted(path.relative_to(output.root).as_posix() for path in output.written)
    lines = [
        f"{hashlib.sha256((output.root / name).read_bytes()).hexdigest()}  {name}\n"
        for name in names
        if name.split("/")[0] in folders
    ]
    return "".join(lines)


class Output:
    """A directory that remembers what was written to it."""

    def __init__(self, root):
        self.root = Path(root)
        self.written = []

    def write(self, name, text):
        """Write a file atomically and remember its path."""
        path = self.root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if (path.exists() or path.is_symlink()) and not path.is_file():
                raise InputError(path, None, "exists and is no file")
            target = path.resolve()  # a link stays one
            partial = target.with_name(target.name + ".part")
            partial.write_text(text, encoding="utf-8", newline="\n")
            partial.replace(target)
        except OSError as error:
            raise InputError(path, None, error.strerror or error) from None
        self.written.append(path)
        return path


_TEMPLATES = Path(__file__).parent.parent / "templates"


def _style():
    return Markup((_TEMPLATES / "style.css").read_text(encoding="utf-8"))


def _script():
    """The script and its digest, by which a browser runs it and no other."""
    text = (_TEMPLATES / "explore.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(f"\n{text}".encode()).digest()).decode()
    return Markup(text), f"sha256-{digest}"


def _breakable(text):
    """Text that may break after a slash or an underline."""
    return Markup(re.sub(r"([/_])", r"\1<wbr>", str(escape(text))))


def _of_one_page(made):
    """What a page gathers while it is filled: its drawings' letters and looks, and its numbers' samples."""
    shapes, looks, samples, drawings = {}, compact.Looks(), Samples(), itertools.count()

    def inline(svg):
        shapes.update(compact.letters(svg))
        return Markup(looks.named(compact.without_letters(canvas.inline(svg, next(drawings)))))

    def sampled(cell):
        places = samples.places(cell)
        return Markup(f' data-s="{" ".join(map(str, places))}"') if places else ""

    made.filters["inline_svg"], made.filters["sampled"] = inline, sampled
    made.globals["letters"] = lambda: Markup(looks.named(compact.sheet(shapes))) if shapes else ""
    made.globals["graph_looks"] = lambda: [Markup(rules) for rules in looks.rules()]
    made.globals["samples"] = lambda: Markup(samples.text())


def _environment(escaping):
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=escaping,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    made.filters["md"] = markdown.escape
    _of_one_page(made)
    made.filters["breakable"] = _breakable
    made.filters["key"] = lambda text: re.sub("[^a-z0-9]+", "-", text.lower()).strip("-")
    made.filters["sentence"] = claims.sentence
    made.filters["unit"] = units.pretty
    made.filters["slug"] = lambda verdict: claims.SLUGS.get(verdict, "none")
    made.globals.update(
        style=_style,
        script=_script,
        count=numbers.count,
        markdown_table=markdown.render,
        pipes=markdown.pipes,
        measured_speedup=generations.measured_text,
        speedups_by_study=generations.by_study,
        speedup_lines=generations.lines,
    )
    return made


def html(template, **values):
    """An HTML page."""
    return _environment(True).get_template(template).render(**values)


def plain(template, **values):
    """A Markdown text."""
    return _environment(False).get_template(template).render(**values)
