"""The opening: for each study what was claimed then, what holds on each machine, and what changed since."""

from dataclasses import dataclass

from . import causes
from .claims import by_verdict


@dataclass(frozen=True)
class Card:
    """One study in short: its claims by machine and verdict, and the causes that touch it."""

    study: dict
    today: list
    causes: list


def tallies(views, machines):
    """[(machine, [(verdict, how many)])] over all studies."""
    every = [claim for view in views for claim in view.claims]
    return [
        (machine, [(verdict, len(claims)) for verdict, claims in by_verdict(machine, every)])
        for machine in machines
    ]


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
