"""Writes the measured numbers into README.md and docs/ from committed results: scripts/documents.py [--check]

A part of a document between `<!-- generated: NAME -->` and `<!-- end -->` is what the block NAME of
docs/generated.md.j2 gives. A block names rows of results/ and claims; no number stands in it. `--check`
writes nothing and says which documents are out of date.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import committed
import jinja2
from committed import REFERENCE, ROOT, DocumentError

sys.path.insert(0, str(ROOT / "plots"))
from gridmark_plots import claims as judging
from gridmark_plots import streams

TEMPLATE = "generated.md.j2"
PART = re.compile(r"(<!-- generated: ([^ ]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
MARKER = re.compile(r"<!-- (?:generated\b.*?|end) -->")


def number(words: str) -> str:
    """What was measured for a claim without what explains it: "0.97 to 1.31"."""
    return re.split(r" \(| over | with |[;,]", words)[0]


def configurations(words: str) -> str:
    """A claim's words with "32x4 / 32x8" as what it is: "tile 32x4, block 32x8"."""
    return re.sub(r" / (\d+x\d+) / (\d+x\d+)", r" (tile \1, block \2)", words)


class Claims:
    """Decided claims of a machine, by the program."""

    def __init__(self, program: Path):
        self.program = program
        self.decided: dict[str, dict[str, dict]] = {}

    def all(self, machine: str = REFERENCE) -> dict[str, dict]:
        """Every claim by its id, in the order of the studies."""
        if machine not in self.decided:
            words = [self.program, "claims", "--json", "--machine", ROOT / "results" / machine]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode:
                raise DocumentError(f"{self.program} claims: {done.stderr.strip()}")
            self.decided[machine] = {claim["id"]: claim for claim in json.loads(done.stdout)["claims"]}
        return self.decided[machine]

    def one(self, name: str, machine: str = REFERENCE) -> dict:
        """One claim."""
        if name not in self.all(machine):
            raise DocumentError(f"no claim {name}")
        return self.all(machine)[name]

    def tally(self, machine: str = REFERENCE) -> list[tuple[str, int, int]]:
        """How many claims have which verdict: measured ones, and those that hold anywhere.

        One that says the same as another is not counted beside it.
        """
        verdicts = {name: one["verdict"] for name, one in self.all(machine).items()}
        counted = judging.counted(self.all(machine).values(), verdicts)
        counts = Counter((one["verdict"], one["holds_anywhere"]) for one in counted)
        return [(verdict, counts[verdict, False], counts[verdict, True]) for verdict in judging.ORDER]

    def differing(self, machines: list[str]) -> dict[str, list[dict]]:
        """The claims whose verdicts differ among the sets that measured them, by each set in turn."""
        found = {}
        for name in self.all():
            decided = [self.one(name, machine) for machine in machines]
            if len({one["verdict"] for one in decided} - {"NOT RUN"}) > 1:
                found[name] = decided
        return found

    def reversed_claims(self, machine: str = REFERENCE) -> list[str]:
        """The claims of which a GPU's other clock orders a pair the other way round."""
        words = "pairs the other clock says the other side"
        return [name for name, one in self.all(machine).items() if words in one["because"]]


class Comparisons:
    """Sets of results compared by the program."""

    def __init__(self, program: Path):
        self.program = program
        self.compared: dict[tuple[str, str], list[dict]] = {}

    def differing(self, base: str, new: str, studies: list[str], clock: str) -> str:
        """How many GPU times of one clock differ, and the largest difference: "11 of 158 (4.2 %)"."""
        if (base, new) not in self.compared:
            words = [self.program, "compare", "--json", *(ROOT / "results" / name for name in (base, new))]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode:
                raise DocumentError(f"{self.program} compare: {done.stderr.strip()}")
            self.compared[base, new] = json.loads(done.stdout)["rows"]
        times = [
            row
            for row in self.compared[base, new]
            if row["experiment"] in studies
            and row["clock"] == clock
            and row["quantity"] == "time"
            and row["ratio"]
        ]
        far = [row["ratio"] for row in times if row["verdict"] in ("faster", "slower")]
        largest = f" ({100 * max(max(ratio, 1 / ratio) - 1 for ratio in far):.1f} %)" if far else ""
        return f"{len(far)} of {len(times)}{largest}"


def model_errors(program: Path, name: str) -> list[dict]:
    """How far the model of times is off on a set, by study and clock."""
    words = [program, "forecast", "--json", ROOT / "results" / name]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DocumentError(f"{program} forecast: {done.stderr.strip()}")
    return json.loads(done.stdout)["errors"]


# Cards forecast from their data sheets: the sheet, the study, and the times it is compared with.
LEFT_OUT = (
    ("gtx-570", "jacobi", "published/gtx-570"),
    ("tesla-x2070", "jacobi", "published/tesla-x2070"),
    ("gtx-580", "heat", "published/gtx-580"),
    ("i7-920", "heat", "published/i7-920"),
    ("h200", "jacobi", "repeats/nvidia-h200-paper"),
    ("h200", "ginzburg_landau", "repeats/nvidia-h200-paper"),
    ("h200", "heat", "repeats/nvidia-h200-paper"),
    ("h200", "pyramid", "repeats/nvidia-h200-paper"),
    ("h200", "maxwell", "repeats/nvidia-h200-paper"),
)


def left_out(program: Path) -> list[dict]:
    """Cards forecast from their data sheets, beside what was printed, or what kernels took there."""
    cards = []
    for sheet, study, folder in LEFT_OUT:
        done = subprocess.run(
            [program, "forecast", sheet, study, "--json"],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        if done.returncode:
            raise DocumentError(f"{program} forecast: {done.stderr.strip()}")
        said = json.loads(done.stdout)
        measured = committed.rows(folder, study)
        ratios = sorted(
            row["forecast_us"] / committed.microseconds(row["name"], folder)
            for row in said["rows"]
            if row["name"] in measured
            and measured[row["name"]]["median"]
            and (folder.startswith("published") or row["clock"] == "kernel")
        )
        near = sum(abs(ratio - 1) <= 0.2 for ratio in ratios)
        apart = folder.startswith("published")  # the model's form was chosen on rows of an H200 too
        cards.append(
            {"machine": said["machine"], "study": study, "ratios": ratios, "near": near, "apart": apart}
        )
    return cards


def after_data() -> dict[str, int]:
    """How many claims have an erratum about a change after data were seen, and how many there are."""
    studies = [json.loads(path.read_text()) for path in sorted(ROOT.glob("experiments/*/study.json"))]
    changed = [
        {claim for erratum in study["errata"] if erratum.get("after_data") for claim in erratum["claims"]}
        for study in studies
    ]
    return {"changed": sum(map(len, changed)), "all": sum(len(study["claims"]) for study in studies)}


class Origins:
    """Whose the variants are, by their entries."""

    def __init__(self, program: Path):
        self.program = program
        self.known: dict[tuple[str, str], str] = {}

    def of(self, name: str) -> str:
        """Of a row's variant: "published" or "optimised"."""
        if not self.known:
            words = [self.program, "list", "--json"]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            self.known = {
                (study["id"], variant["name"]): variant["origin"]
                for study in json.loads(done.stdout)["experiments"]
                for variant in study["variants"]
            }
        return self.known[tuple(name.split("/")[:2])]


def environment(program: Path) -> jinja2.Environment:
    """What templates may call."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ROOT / "docs"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    claims = Claims(program)
    comparisons = Comparisons(program)
    made.filters["configurations"] = configurations
    made.filters["number"] = number
    made.filters["interval"] = judging.whole_interval
    made.globals.update(
        reference=REFERENCE,
        microseconds=committed.microseconds,
        time=committed.time,
        fastest=committed.fastest,
        rate=committed.rate,
        share=committed.share,
        binding=committed.binding,
        ratio=committed.ratio,
        claims=claims.all,
        claim=claims.one,
        tally=claims.tally,
        counted_once=lambda: judging.twins(claims.all().values()),
        differing_claims=claims.differing,
        reversed_claims=claims.reversed_claims,
        measured_sets=committed.measured_sets,
        two_clocks=committed.two_clocks,
        same_alone=committed.same_alone,
        studies=committed.STUDIES,
        host=committed.host,
        cores_worth=committed.cores_worth,
        after_data=after_data,
        origin=Origins(program).of,
        differing=comparisons.differing,
        model_errors=lambda name: model_errors(program, name),
        left_out=lambda: left_out(program),
    )
    return made


def filled(text: str, template: jinja2.Template, document: str) -> str:
    """The document with all its generated parts written anew."""
    parts = list(PART.finditer(text))
    if len(MARKER.findall(text)) != 2 * len(parts):
        raise DocumentError(f"{document}: a marker without its partner")

    def generated(part: re.Match) -> str:
        block = template.blocks.get(part[2].replace("-", "_"))
        if block is None:
            raise DocumentError(f"{document}: unknown part {part[2]}")
        return f"{part[1]}{''.join(block(template.new_context()))}{part[4]}"

    return PART.sub(generated, text)


def documents() -> list[Path]:
    """README.md and the pages below docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def main() -> int:
    """Writes the documents, or checks them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--gridmark", type=Path, default=ROOT / "build" / "gridmark", help="decides the claims"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if a document is out of date")
    arguments = parser.parse_args()
    template = environment(arguments.gridmark).get_template(TEMPLATE)
    changed = []
    try:
        for path in documents():
            old = path.read_text()
            new = filled(old, template, str(path.relative_to(ROOT)))
            if new == old:
                continue
            changed.append(str(path.relative_to(ROOT)))
            if not arguments.check:
                path.write_text(new)
    except DocumentError as error:
        print(f"documents: {error}", file=sys.stderr)
        return 2
    print("documents:", ", ".join(changed) or "all up to date")
    return 1 if changed and arguments.check else 0


if __name__ == "__main__":
    sys.exit(streams.run("documents", main))
