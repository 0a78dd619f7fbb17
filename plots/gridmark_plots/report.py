"""The report: what was claimed and what holds, every study's tables and figures, their provenance."""

from dataclasses import dataclass
from functools import partial

from . import causes, csvtable, generations, markdown, parallel, provenance, render, since, tables
from . import claims as judging
from .claims import by_verdict
from .figures import bars, contour, heatmap, lines, roofline, slices, sweep, timeline
from .render import Output
from .studies import published_machines


@dataclass(frozen=True)
class Card:
    """One study in short: its claims by machine and verdict, and the causes that touch it."""

    study: dict
    today: list
    causes: list


def tallies(views, machines):
    """[(machine, [(verdict, how many)], the same of what holds anywhere, how many miss by chance)].

    Over all studies. A claim that says the same as another is not counted beside it.
    """
    every = [claim for view in views for claim in view.claims]
    found = []
    for machine in machines:
        once = [claim for view in views for claim in _counted(view.claims, machine)]
        apart = [
            [claim for claim in once if claim.spec.get("holds_anywhere", False) == anywhere]
            for anywhere in (False, True)
        ]
        counts = [[(verdict, len(some)) for verdict, some in by_verdict(machine, claims)] for claims in apart]
        found.append((machine, *counts, judging.by_chance(machine, every)))
    return found


def _counted(claims, machine):
    """The claims of a study that a machine's tally counts."""
    verdicts = {
        claim.spec["id"]: one.verdict for claim in claims for one in claim.judged if one.machine is machine
    }
    specs = judging.counted([claim.spec for claim in claims], verdicts)
    return [claim for claim in claims if claim.spec in specs]


def cards(views, machines):
    """A card for each study."""
    return [
        Card(
            view.study,
            [(machine, by_verdict(machine, view.claims)) for machine in machines],
            causes.of_study(view.study),
        )
        for view in views
    ]


@dataclass(frozen=True)
class StudyView:
    """One study, ready to be printed."""

    study: dict
    claims: list
    tables: list
    figures: list

    @property
    def verdicts_by_id(self):
        """The claims by their ids."""
        return {claim.spec["id"]: claim for claim in self.claims}

    @property
    def papers(self):
        """Where in the paper each figure stands, by its id, for those that do."""
        return {spec["id"]: spec["paper"] for spec in self.study["figures"] if "paper" in spec}

    def picked(self, ids):
        """The claims of these ids."""
        return [self.verdicts_by_id[name] for name in ids]


def _figure(study, spec, machines, published, fields):
    solved = {"contour": contour.make, "slice": slices.make}
    if spec["kind"] in solved:
        return solved[spec["kind"]](study, spec, fields)
    alone = {"roofline": roofline.make, "timeline": timeline.make, "map": heatmap.make}
    if spec["kind"] in alone:
        return alone[spec["kind"]](study, spec, machines)
    make = {"sweep": sweep.make, "lines": lines.make, "bars": bars.make}[spec["kind"]]
    return make(study, spec, [*published_machines(study, spec, published), *machines])


def views_of(studies, machines, published, verdicts, ratios, fields):
    """Fill every study's tables and draw its figures."""
    filled = [
        [
            tables.build(study, spec, [*published_machines(study, spec, published), *machines], ratios)
            for spec in study["tables"]
            if "needs" not in spec or tables.machines_of(study, spec, machines)
        ]
        for study in studies
    ]
    wanted = [(study, spec) for study in studies for spec in study["figures"]]
    drawn = iter(parallel.each([partial(_figure, *one, machines, published, fields) for one in wanted]))
    return [
        StudyView(
            study,
            judging.of_study(study, machines, verdicts),
            its_tables,
            [next(drawn) for _ in study["figures"]],
        )
        for study, its_tables in zip(studies, filled, strict=True)
    ]


def _verdict_table(views, machines):
    """The summary of verdicts as headings and lines of text."""
    found = []
    for one in views:
        for claim in one.claims:
            cells = [
                " ".join(
                    part
                    for part in (judged.verdict, "est." if judged.estimate else "", judged.measured)
                    if part
                )
                for judged in claim.judged
            ]
            found.append(
                [
                    one.study["id"],
                    claim.spec["id"],
                    claim.spec["statement"],
                    claim.reading,
                    claim.published,
                    *cells,
                ]
            )
    headings = ["study", "claim", "statement", "reading", "published"]
    return [*headings, *(machine.label() for machine in machines)], found


def _write_parts(output, views):
    """Every table and every graph as files of their own."""
    for one in views:
        for table in one.tables:
            name = f"tables/{table.experiment}-{table.spec['id']}"
            heading = f"### {markdown.escape(table.spec['title'])}\n\n"
            output.write(f"{name}.md", heading + markdown.render(table))
            output.write(f"{name}.csv", csvtable.render(table))
        for figure in one.figures:
            figure.save(output)


def write(out, views, machines, published):
    """Write every file of the report below `out`; the paths that were written."""
    output = Output(out)
    _write_parts(output, views)
    speedups = generations.of([(one.study, one.claims) for one in views], machines, published)
    generations.write(output, speedups)
    then, now = since.published_sides(published), since.measured_sides(machines)
    headings, lines = _verdict_table(views, machines)
    values = {
        "views": views,
        "generations": speedups,
        "machines": machines,
        "records": [provenance.record(machine) for machine in machines],
        "sources": [provenance.record(published[key]) for key in sorted(published)],
        "tallies": tallies(views, machines),
        "twins": judging.twins(claim.spec for view in views for claim in view.claims),
        "cards": cards(views, machines),
        "since": since.table(published, then, now),
        "causes": causes.of(views, machines, then, now),
        "untouched": causes.untouched(views),
        "verdict_headings": headings,
        "verdict_lines": lines,
    }
    for name in ("report", "verdicts", "sentences"):
        output.write(f"{name}.md", markdown.tidy(render.plain(f"{name}.md.j2", **values)))
    for name in ("verdicts", "sentences"):
        output.write(f"{name}.html", render.html(f"{name}.html.j2", **values))
    output.write("index.html", render.html("report.html.j2", **values))
    output.write(render.DIGESTS, render.digests_of(output, ("tables", "figures")))
    return output.written
