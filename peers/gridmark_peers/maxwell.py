"""The maxwell study's step, for any framework whose arrays can be sliced and differenced.

A component is kept where it is computed: E between the nodes along its own axis and at the nodes along the
others, H at the nodes along its own axis. The ghosts of H, half a cell outside the six faces, are planes of
their own, by component and axis across the face: `ghosts[2, 0]` are the low and the high one of Hz across x.
"""

from __future__ import annotations

import numpy as np

AXES = (0, 1, 2)
LOW, HIGH = slice(0, 1), slice(-1, None)


def box(c: int, electric: bool) -> tuple[slice, ...]:
    """Where a component's values stand in the study's arrays [nx + 1][ny + 1][nz + 1]."""
    return tuple(slice(1 if (axis == c) == electric else 0, -1) for axis in AXES)


def ghost_boxes(c: int, axis: int) -> list[tuple[slice, ...]]:
    """The same for a component's low and high ghosts across an axis."""
    return [tuple(face if a == axis else s for a, s in enumerate(box(c, False))) for face in (LOW, HIGH)]


GHOSTS = [(c, axis) for c in AXES for axis in AXES if axis != c]


def along(line, axis: int):
    """Numbers for each index along an axis."""
    return line.reshape([-1 if a == axis else 1 for a in AXES])


def next_e(e, h, ghosts, k, dct, currents, diff):
    """E a step later: eps dE/dt + sigma E = rot H, sigma at the new time. `currents` is what the surface
    current adds to each component at z_min, as a line along z."""

    def difference(component, axis):
        low, high = ghosts[component, axis]
        return diff(h[component], axis, low, high) * along(k["half"][axis], axis)

    after = []
    for c in AXES:
        a, b = (c + 1) % 3, (c + 2) % 3
        rot = difference(b, a) - difference(a, b)
        eps, sigma = k["eps"][c], k["sigma"][c]
        now = e[c] if currents[c] is None else e[c] + along(currents[c], 2)
        after.append((dct * rot + eps * now) / (eps + sigma * dct))
    return after


def next_h(h, e, k, dct, diff):
    """H a step later: mu dH/dt = -rot E."""

    def difference(component, axis):
        return diff(e[component], axis, None, None) * along(k["node"][axis][1:], axis)

    after = []
    for c in AXES:
        a, b = (c + 1) % 3, (c + 2) % 3
        after.append(h[c] - dct / k["mu"][c] * (difference(b, a) - difference(a, b)))
    return after


def next_wave(e, h, currents, k, dct, diff):
    """The incident wave a step later: of each polarisation E [nz] and H [nz - 1], in vacuum."""
    half, node = k["half"][2], k["node"][2][1:]
    after_e, after_h = [], []
    for p, hand in enumerate((1, -1)):
        # Its ghosts are those of a wave that leaves.
        rot = diff(h[p], 0, -hand * e[p][LOW], hand * e[p][HIGH]) * half
        after_e.append(e[p] + currents[p] - hand * dct * rot)
        after_h.append(h[p] - hand * dct * (diff(after_e[p], 0, None, None) * node))
    return after_e, after_h


def next_ghosts(e, wave_e, wave_h):
    """H half a cell outside, from E on the faces: what goes out radiates, but for the incident wave."""
    ex, ey, ez = e
    ghosts = {key: [] for key in GHOSTS}
    for side, face in ((-1, LOW), (1, HIGH)):
        ghosts[2, 0].append(side * (ey[face] - wave_e[1]))
        ghosts[1, 0].append(wave_h[0] - side * ez[face])
        ghosts[2, 1].append(-side * (ex[:, face] - wave_e[0]))
        ghosts[0, 1].append(wave_h[1] + side * ez[:, face])
        ghosts[1, 2].append(side * ex[:, :, face])
        ghosts[0, 2].append(-side * ey[:, :, face])
    return ghosts


def current(drive, numbers, p: int):
    """What the current adds to E along x (0) or y (1) in this step; `drive` are its sine and cosine."""
    return numbers["scale"] * numbers[f"amplitude_{p}"] * drive[0]


def next_drive(drive, numbers):
    """The sine and cosine a step later."""
    (sine, cosine), s, c = drive, numbers["turn_sine"], numbers["turn_cosine"]
    return [sine * c + cosine * s, cosine * c - sine * s]


def step(state, k, numbers, dct, at_z_min, diff):
    """All of a step. `at_z_min(amount)` is a line along z that is `amount` there and 0 elsewhere, of the
    fields' type; `k` the coefficients.
    """
    currents = [at_z_min(current(state["drive"], numbers, p)) for p in (0, 1)]
    e = next_e(state["e"], state["h"], state["ghosts"], k, dct, [*currents, None], diff)
    wave_e, wave_h = next_wave(state["wave_e"], state["wave_h"], currents, k, dct, diff)
    return {
        "e": e,
        "h": next_h(state["h"], e, k, dct, diff),
        "ghosts": next_ghosts(e, wave_e, wave_h),
        "wave_e": wave_e,
        "wave_h": wave_h,
        "drive": next_drive(state["drive"], numbers),
    }


def first_state(problem):
    """The state at the start, in NumPy."""
    fields, zeros = problem.start, problem.start[0, 0, 0] * 0
    return {
        "e": [fields[c][box(c, True)] for c in AXES],
        "h": [fields[3 + c][box(c, False)] for c in AXES],
        "ghosts": {(c, axis): [fields[3 + c][ghost] for ghost in ghost_boxes(c, axis)] for c, axis in GHOSTS},
        "wave_e": [zeros[:-1], zeros[:-1]],
        "wave_h": [zeros[1:-1], zeros[1:-1]],
        "drive": [np.float64(problem.numbers[name]) for name in ("sine", "cosine")],
    }


def coefficients(problem):
    """What a step multiplies with, in NumPy, each where its component is."""
    arrays = problem.arrays
    of = {key: [arrays[f"{key}_{axis}"] for axis in "xyz"] for key in ("half", "node")}
    for key, electric in (("eps", True), ("sigma", True), ("mu", False)):
        of[key] = [arrays[key][c][box(c, electric)] for c in AXES]
    return of


def answer(problem, state):
    """The six arrays of the study, from a state in NumPy; what no step sets is as at the start."""
    fields = problem.start.copy()
    for c in AXES:
        fields[c][box(c, True)] = state["e"][c]
        fields[3 + c][box(c, False)] = state["h"][c]
    for (c, axis), planes in state["ghosts"].items():
        for ghost, plane in zip(ghost_boxes(c, axis), planes, strict=True):
            fields[3 + c][ghost] = plane
    return fields
