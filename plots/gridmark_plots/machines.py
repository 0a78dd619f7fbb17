"""Any number of machines side by side: each study's problem on each, and the speed-ups then and now."""

from . import claims, csvtable, generations, hardware, markdown, render
from .numbers import DASH
from .render import Output


def _when(machine):
    """Since when published hardware was sold, or when a machine was measured."""
    contexts = [found.context for found in machine.sets.values()]
    key = "date" if machine.measured else "year"
    found = sorted({str(one[key]) for one in contexts if one.get(key)})
    word = "measured" if machine.measured else "sold since"
    return f"{word} {found[0]}" if found else f"{word}: not known"


def summary(machines):
    """The machines as headings and lines of text."""
    lines = [
        [
            machine.label(),
            "published"
            if machine.published
            else "a model's, from the data sheet"
            if machine.forecast
            else "measured by Gridmark",
            _when(machine),
            ", ".join(name.replace("_", " ") for name in sorted(machine.sets)) or DASH,
        ]
        for machine in machines
    ]
    return ["machine", "numbers", "when", "studies"], lines


def write(out, studies, machines, published, verdicts):
    """Write every file of the comparison below `out`; the paths that were written.

    The verdicts are those of the measured ones among the machines; published sets stand beside them.
    """
    output = Output(out)
    views = [(study, *hardware.compare(study, machines)) for study in studies if "hardware" in study]
    judged = [(study, claims.of_study(study, machines, verdicts)) for study in studies]
    then = generations.of(judged, machines, published)
    for _, table, figure in views:
        output.write(f"tables/{figure.identity}.csv", csvtable.render(table))
        figure.save(output)
    generations.write(output, then)
    headings, lines = summary(machines)
    values = {"views": views, "generations": then, "headings": headings, "lines": lines}
    output.write("machines.md", markdown.tidy(render.plain("machines.md.j2", **values)))
    output.write("index.html", render.html("machines.html.j2", **values))
    return output.written
