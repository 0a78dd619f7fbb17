"""Writes seeds for the fuzz target `results`: of the reference, for every claim the few rows that decide it.

python tests/fuzz/results_seeds.py FOLDER
"""

import json
import sys
from pathlib import Path

from gridmark_plots.selector import key_of, matches

ROOT = Path(__file__).resolve().parents[2]
MOST = 6


def short(row):
    """The row with three samples of three processes."""
    row = dict(row)
    if len(row["samples"]) > 3:
        row["samples"], row["process_samples"] = row["samples"][:3], [1, 1, 1]
    row["counters"] = None
    if "spans" in row:
        row["spans"] = row["spans"][:2]
    return row


def deciding(claim, rows):
    """Some rows that the claim's selectors find, pairs with equal keys first."""
    if "pairs" in claim:
        pairs = claim["pairs"]
        found = [row for row in rows if matches(pairs["select"], row)]
        sides = [[row for row in found if matches(pairs[side], row)] for side in ("numerator", "denominator")]
        both = [
            row
            for n in sides[0]
            for d in sides[1]
            if pairs.get("best") or pairs.get("across") or key_of(n, pairs["by"]) == key_of(d, pairs["by"])
            for row in (n, d)
        ]
    elif "optimum" in claim:
        optimum = claim["optimum"]
        both = [
            row
            for choice in optimum["among"]
            for row in rows
            if matches(optimum["select"], row) and matches(choice, row)
        ]
    else:
        both = [row for row in rows if matches(claim["of"]["select"], row)]
    return list({row["name"]: row for row in both}.values())[:MOST]


def main(folder):
    """One small result file a claim."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "results" / "nvidia-h100").glob("*.json")):
        document = json.loads(path.read_text())
        study = json.loads((ROOT / "experiments" / path.stem / "study.json").read_text())
        context = {**document["context"], "reasons": {}, "ceilings": document["context"]["ceilings"][:1]}
        context["cpu"] = {"model": context["cpu"]["model"]}
        context["software"] = {}
        for claim in study["claims"]:
            rows = [short(row) for row in deciding(claim, document["rows"])]
            seed = {**document, "context": context, "rows": rows}
            (folder / f"{path.stem}-{claim['id']}.json").write_text(json.dumps(seed))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
