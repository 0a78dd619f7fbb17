"""HDF5 files of odd shapes and types, from a number each: what is asked of one, and what must come of it."""

from dataclasses import dataclass

import h5py
import numpy as np

NUMBERS = [
    "i1",
    "u1",
    "<i2",
    ">i2",
    "<u2",
    "<i4",
    ">i4",
    ">u4",
    "<i8",
    ">i8",
    "<u8",
    "<f2",
    ">f2",
    "<f4",
    ">f4",
]
NUMBERS += ["<f8", ">f8", "g"]
VERSIONS = [("earliest", "v110"), ("earliest", "latest"), ("v108", "v110"), ("v110", "v110")]


@dataclass
class Case:
    """A file, and the answer that it must get: `values` as read, None a refusal, `either` one of both."""

    file: bytes
    rank: int
    values: np.ndarray | None
    what: str
    either: bool = False


def _shape(rng):
    return tuple(int(n) for n in rng.integers(1, 7, rng.integers(0, 6)))


def _numbers(rng, dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype.newbyteorder("="), endpoint=True).astype(dtype)
    return (rng.normal(size=shape) * 10.0 ** rng.uniform(-3, 3, shape)).astype(dtype)


def _layout(rng, shape, dtype):
    """Keywords of create_dataset."""
    if not shape or rng.random() < 0.3:
        return {}
    chunks = tuple(int(rng.integers(1, n + 1)) for n in shape)
    options = {"chunks": chunks}
    if rng.random() < 0.5:
        options |= {"compression": "gzip", "compression_opts": int(rng.integers(0, 10))}
    if np.dtype(dtype).kind in "iu" and rng.random() < 0.3 and dtype != "<u8":
        options |= {"scaleoffset": 0}
    else:
        options |= {"shuffle": bool(rng.integers(2)), "fletcher32": bool(rng.integers(2))}
    if rng.random() < 0.3:
        options["maxshape"] = tuple(None for _ in shape)
    return options


def _plain(rng, file):
    dtype, shape = rng.choice(NUMBERS), _shape(rng)
    values = _numbers(rng, dtype, shape)
    file.create_dataset("t0", data=values, **_layout(rng, shape, dtype))
    return values


def _special(rng, file):
    shape = (*_shape(rng)[:2], 4)
    values = _numbers(rng, rng.choice(["<f4", "<f8", ">f8"]), shape)
    values.flat[rng.integers(values.size)] = rng.choice([np.nan, np.inf, -np.inf, -0.0, 5e-324])
    file.create_dataset("t0", data=values, **_layout(rng, shape, "<f8"))
    return values


def _large(rng, file):
    values = _numbers(rng, "<f8", (3, 2))
    values.flat[rng.integers(6)] = rng.choice([1e300, -3.5e38, 3.4e38, 1e-300])
    file["t0"] = values
    return values


def _unwritten(rng, file):
    shape, fill = _shape(rng), rng.choice([0.0, 7.5, np.nan])
    file.create_dataset("t0", shape=shape, dtype="f8", fillvalue=fill, **_layout(rng, shape, "f8"))
    return np.full(shape, fill)


def _linked(rng, file):
    values = _numbers(rng, "<f8", _shape(rng))
    file["deep/er/still"] = values
    file["t0"] = h5py.SoftLink("/deep/er/still") if rng.integers(2) else file["deep/er/still"]
    return values


def _crowded(rng, file):
    values = _numbers(rng, "<f4", _shape(rng))
    file["t0"] = values
    for i in range(int(rng.integers(1, 60))):
        file["t0"].attrs[f"a{i}"] = rng.choice([1.5, 2.5], int(rng.integers(1, 9)))
        file[f"other{i}"] = np.arange(i)
    return values


def _odd_float(rng, file):
    """A floating-point type that no processor has; its values are exact in it."""
    kind = h5py.h5t.IEEE_F32LE.copy()
    kind.set_fields(31, 20, 11, 0, 20)
    kind.set_precision(32)
    kind.set_ebias(1023)
    values = rng.integers(-1000, 1000, (3, 4)).astype("f8")
    space = h5py.h5s.create_simple(values.shape)
    data = h5py.h5d.create(file.id, b"t0", kind, space)
    data.write(h5py.h5s.ALL, h5py.h5s.ALL, values, h5py.h5t.NATIVE_DOUBLE)
    return values


def _strings(rng, file):
    file["t0"] = rng.choice(["one", "two"], 3).tolist() if rng.integers(2) else np.array([b"a", b"bc"])


def _structured(rng, file):
    file["t0"] = np.zeros((2, 3), rng.choice(["i4,f8", "f4,(2,3)i1"]))


def _complex(rng, file):
    file["t0"] = np.zeros(4, complex)


def _opaque(rng, file):
    file["t0"] = np.zeros(3, "V5")


def _flags(rng, file):
    file["t0"] = np.zeros((2, 2), bool)


def _lists(rng, file):
    file.create_dataset("t0", shape=(2,), dtype=h5py.vlen_dtype("f4"))


def _references(rng, file):
    file["x"] = 1
    file.create_dataset("t0", data=[file["x"].ref], dtype=h5py.ref_dtype)


def _arrays(rng, file):
    file.create_dataset("t0", shape=(2,), dtype=np.dtype(("f4", (3,))))
    del file["t0"]
    kind = h5py.h5t.array_create(h5py.h5t.NATIVE_FLOAT, (3,))
    h5py.h5d.create(file.id, b"t0", kind, h5py.h5s.create_simple((2,)))


def _null(rng, file):
    file["t0"] = h5py.Empty("f4")


def _hollow(rng, file):
    shape = [*_shape(rng)[:3], 0]
    rng.shuffle(shape)
    file.create_dataset("t0", shape=shape, dtype="f4")


def _group(rng, file):
    file.create_group("t0")


def _type(rng, file):
    file["t0"] = np.dtype("f4")


def _nowhere(rng, file):
    file["t0"] = h5py.SoftLink(rng.choice(["/nothing", "/t0", "/loop", "..", "/t0/t0"]))
    file["loop"] = h5py.SoftLink("/t0")


def _away(rng, file):
    file["t0"] = h5py.ExternalLink(rng.choice(["other.h5", "/etc/passwd", "in.h5", "/dev/zero"]), "/t0")


def _virtual(rng, file):
    layout = h5py.VirtualLayout((3, 4), "f8")
    layout[:] = h5py.VirtualSource("other.h5", "t0", (3, 4))
    file.create_virtual_dataset("t0", layout)


def _raw(rng, file):
    file.create_dataset("t0", shape=(3,), dtype="f8", external=[("/dev/zero", 0, 24)])


def _huge(rng, file):
    shape = [(2**31, 2**31), (2**32, 2**32, 2000), (10**5, 10**5, 10**4), (2**40,)][rng.integers(4)]
    file.create_dataset("t0", shape=shape, dtype=rng.choice(["f4", "i1"]), chunks=tuple(1000 for _ in shape))


def _wide_chunk(rng, file):
    shape = (2, 3)
    file.create_dataset("t0", shape=shape, dtype="f8", chunks=(20000, 20000), maxshape=(None, None))


def _absent(rng, file):
    file["t1"] = 1.0


REFUSED = [
    _strings,
    _structured,
    _complex,
    _opaque,
    _flags,
    _lists,
    _references,
    _arrays,
    _null,
    _hollow,
    _group,
]
REFUSED += [_type, _nowhere, _away, _virtual, _raw, _huge, _absent]
READ = [_plain, _plain, _special, _large, _unwritten, _linked, _crowded, _odd_float]


def _undamaged(rng, path, precision):
    """(bytes, rank, values in that precision or None, what it is, whether any answer will do)."""
    make = rng.choice([*READ, *READ, *REFUSED, _wide_chunk])
    space = {"userblock_size": 512} if rng.random() < 0.1 else {}
    with h5py.File(path, "w", libver=VERSIONS[rng.integers(4)], **space) as file:
        values = make(rng, file)
        rank = int(rng.integers(0, 4)) if values is None else values.ndim
    if values is not None:
        with np.errstate(over="ignore"):
            values = values.astype("f4" if precision == "float" else "f8")
        if not np.isfinite(values).all():
            values = None
    return path.read_bytes(), rank, values, make.__name__.lstrip("_"), make is _wide_chunk


def _damaged(rng, good):
    """The bytes truncated, with bits flipped or with a part overwritten."""
    damaged = bytearray(good)
    kind = rng.integers(4)
    # Most of what can be broken stands at the beginning.
    end = len(good) if rng.integers(2) else min(len(good), 2048)
    if kind == 0:
        return good[: rng.integers(len(good))]
    if kind == 1:
        for _ in range(rng.integers(1, 5)):
            damaged[rng.integers(end)] ^= 1 << rng.integers(8)
    elif kind == 2:
        at, length = int(rng.integers(end)), int(rng.integers(1, 17))
        damaged[at : at + length] = bytes(length) if rng.integers(2) else b"\xff" * length
    else:
        at, to, length = (int(n) for n in (rng.integers(end), rng.integers(end), rng.integers(1, 65)))
        damaged[to : to + length] = damaged[at : at + length]
    return bytes(damaged)


def case(number, folder, precision):
    """The case of that number; `folder` takes a file for a moment."""
    rng = np.random.default_rng(number)
    path = folder / "made.h5"
    file, rank, values, what, either = _undamaged(rng, path, precision)
    path.unlink()
    fate = rng.random()
    if fate < 0.1:  # another number of dimensions than the file has
        return Case(file, rank + 1, None, what, either)
    if fate < 0.4:
        return Case(file, rank, values, what, either)
    return Case(_damaged(rng, file), rank, values, f"{what}, damaged", True)
