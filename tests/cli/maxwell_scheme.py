"""maxwell's scheme in NumPy, from what a file of `solve` holds, and the comparison with that file."""

import numpy as np

FIELDS = ["ex", "ey", "ez", "hx", "hy", "hz"]


def spacings(nodes):
    """Inverse distances of half points around nodes, and between nodes (at the later one's index)."""
    cells = np.diff(nodes)
    half = (np.append(0, cells) + np.append(cells, 0)) / 2
    return 1 / half, np.append(0, 1 / cells)


class Scheme:
    """The scheme as the paper has it, in double, from a result file's coefficients."""

    def __init__(self, file):
        self.p = file["parameters"].attrs
        self.n = [len(file[axis]) for axis in "xyz"]
        self.half, self.node = zip(*(spacings(file[axis][:]) for axis in "xyz"), strict=True)
        self.eps, self.mu, self.sigma = (
            [file[f"{name}_{axis}"][:].astype(np.float64) for axis in "xyz"]
            for name in ("eps", "mu", "sigma")
        )
        shape = tuple(n + 1 for n in self.n)
        self.e, self.h = ([np.zeros(shape) for _ in range(3)] for _ in range(2))
        self.wave_e, self.wave_h = (np.zeros((2, self.n[2] + 1)) for _ in range(2))
        self.dct, self.step = self.p["dt"], 0

    def part(self, first, shift=(0, 0, 0)):
        return tuple(slice(f + s, n + s) for f, n, s in zip(first, self.n, shift, strict=True))

    def difference(self, field, axis, first, back):
        shift = [0, 0, 0]
        shift[axis] = -1 if back else 1
        here, there = field[self.part(first)], field[self.part(first, shift)]
        inverse = (self.node if back else self.half)[axis][first[axis] : self.n[axis]]
        return (here - there if back else there - here) * inverse.reshape(
            [-1 if i == axis else 1 for i in range(3)]
        )

    def rotation(self, field, c, first, back):
        a, b = (c + 1) % 3, (c + 2) % 3
        return self.difference(field[b], a, first, back) - self.difference(field[a], b, first, back)

    def wave(self, axis, ct):
        """E along an axis that the current sends at a time."""
        amplitude, rise, fall, wavelength, pulse = (
            self.p.get(f"{name}_{axis}") for name in ("amplitude", "rise", "fall", "wavelength", "pulse")
        )
        if self.p[f"waveform_{axis}"] == "lightning":
            # Where the derivative is 0.
            peak = np.log(fall / rise) / (1 / rise - 1 / fall)
            at_peak = np.exp(-peak / fall) - np.exp(-peak / rise)
            return amplitude * (np.exp(-ct / fall) - np.exp(-ct / rise)) / at_peak
        envelope = 1 if pulse == 0 else np.sin(np.pi * ct / pulse) ** 2 * (ct < pulse)
        return amplitude * envelope * np.sin(2 * np.pi / wavelength * ct)

    def advance(self):
        ct, ends = (self.step + 0.5) * self.dct, self.n
        added = [2 * self.dct * self.half[2][0] * self.wave(axis, ct) for axis in "xy"]
        self.e[0][1 : ends[0], 0 : ends[1], 0] += added[0]
        self.e[1][0 : ends[0], 1 : ends[1], 0] += added[1]
        for c in range(3):
            first, eps = [int(c == axis) for axis in range(3)], self.eps[c]
            here = self.part(first)
            self.e[c][here] = (
                self.dct * self.rotation(self.h, c, first, False) + eps[here] * self.e[c][here]
            ) / (eps[here] + self.sigma[c][here] * self.dct)
        for c in range(3):
            first = [int(c != axis) for axis in range(3)]
            here = self.part(first)
            self.h[c][here] -= self.dct / self.mu[c][here] * self.rotation(self.e, c, first, True)
        for p, hand in ((0, 1), (1, -1)):
            e, h, n = self.wave_e[p], self.wave_h[p], self.n[2]
            e[0] += added[p]
            e[:n] -= hand * self.dct * (h[1:] - h[:n]) * self.half[2]
            h[1:n] -= hand * self.dct * (e[1:n] - e[: n - 1]) * self.node[2][1:]
            h[0], h[n] = -hand * e[0], hand * e[n - 1]
        self.ghosts()
        self.step += 1

    def ghosts(self):
        (ex, ey, ez), (hx, hy, hz), (nx, ny, nz) = self.e, self.h, self.n
        (wex, wey), (why, whx) = self.wave_e, self.wave_h
        for side, at, ghost in ((-1, 0, 0), (1, nx - 1, nx)):
            hz[ghost, 1:ny, :nz] = side * (ey[at, 1:ny, :nz] - wey[:nz])
            hy[ghost, :ny, 1:nz] = -side * ez[at, :ny, 1:nz] + why[1:nz]
        for side, at, ghost in ((-1, 0, 0), (1, ny - 1, ny)):
            hz[1:nx, ghost, :nz] = -side * (ex[1:nx, at, :nz] - wex[:nz])
            hx[:nx, ghost, 1:nz] = side * ez[:nx, at, 1:nz] + whx[1:nz]
        for side, at, ghost in ((-1, 0, 0), (1, nz - 1, nz)):
            hy[1:nx, :ny, ghost] = side * ex[1:nx, :ny, at]
            hx[:nx, 1:ny, ghost] = -side * ey[:nx, 1:ny, at]

    def values(self):
        return dict(zip(FIELDS, [*self.e, *self.h], strict=True))


def expect_recomputed(file):
    scheme = Scheme(file)
    points = {name: [] for name in FIELDS}
    moments = list(file["moments/step"][:]) if "moments" in file else []
    tolerance = 2e-5 if file["ex"].dtype == np.float32 else 1e-12
    for _ in range(int(scheme.p["steps"])):
        scheme.advance()
        for name, field in scheme.values().items():
            points[name].append(
                [field[tuple(at)] for at in file["points/index"][:]] if "points" in file else []
            )
            if scheme.step in moments:
                saved = file[f"moments/{name}"][moments.index(scheme.step)]
                np.testing.assert_allclose(saved, field, atol=tolerance, rtol=0)
    for name, field in scheme.values().items():
        np.testing.assert_allclose(file[name][:], field, atol=tolerance, rtol=0)
        if "points" in file:
            np.testing.assert_allclose(file[f"points/{name}"][:], points[name], atol=tolerance, rtol=0)
    return scheme
