"""Start fields from HDF5 files: what h5py writes is read exactly, what cannot be used gets one line."""

import os

import h5py
import numpy as np
import pytest
from conftest import complaint

SHAPE = (5, 6, 7)
LAYOUTS = {
    "contiguous": {},
    "chunked": {"chunks": (2, 3, 4)},
    "gzip": {"chunks": (4, 4, 4), "compression": "gzip", "shuffle": True, "fletcher32": True},
    "resizable": {"chunks": (8, 8, 8), "maxshape": (None, None, None)},
}


def copied(program, tmp_path, precision, *requests):
    """Reads in.h5 as a study would and writes what it got; the completed process and the copy's path."""
    out = tmp_path / "copy.h5"
    return program("_copy_input", precision, tmp_path / "in.h5", out, *requests), out


def refusal(program, tmp_path, request, precision="float"):
    done, out = copied(program, tmp_path, precision, request)
    assert not out.exists()
    line = complaint(done)
    prefix = f"gridmark: {tmp_path / 'in.h5'}: "
    assert line.startswith(prefix)
    return line.removeprefix(prefix)


def random_values(dtype, seed):
    """Values over the whole range of a type, less what overflows a float."""
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        values = rng.integers(
            info.min, info.max, SHAPE, dtype=np.dtype(dtype).newbyteorder("="), endpoint=True
        )
    else:
        powers = 4.0 if np.dtype(dtype).itemsize == 2 else 30.0
        values = rng.normal(size=SHAPE) * 10.0 ** rng.uniform(-powers, powers, SHAPE)
    return values.astype(dtype)


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_type_is_read_exactly(program, tmp_path, layout, precision):
    types = [*"bBgde", *(order + t for order in "<>" for t in ("i2", "u4", "i8", "u8", "f2", "f4", "f8"))]
    fields = {f"t{i}": random_values(dtype, i) for i, dtype in enumerate(types)}
    with h5py.File(tmp_path / "in.h5", "w") as file:
        for name, values in fields.items():
            file.create_dataset(name, data=values, **LAYOUTS[layout])
    done, out = copied(program, tmp_path, precision, *(f"{name}:3" for name in fields))
    assert done.returncode == 0, done.stderr
    with h5py.File(out) as file:
        for name, values in fields.items():
            wanted = values.astype(np.float32 if precision == "float" else np.float64)
            assert file[name].dtype == wanted.dtype
            assert np.array_equal(file[name][:], wanted), values.dtype


@pytest.mark.parametrize("libver", ["earliest", "latest"])
def test_ranks_and_names(program, tmp_path, libver):
    with h5py.File(tmp_path / "in.h5", "w", libver=libver) as file:
        file["β"] = np.arange(6.0).reshape(2, 3)
        file["group/inner"] = np.arange(4.0)
        file["soft"] = h5py.SoftLink("/group/inner")
        file["one"] = 3.5
        file.create_dataset("unwritten", shape=(3,), dtype="f8", fillvalue=7)
    done, out = copied(program, tmp_path, "double", "β:2", "soft:1", "one:0", "unwritten:1")
    assert done.returncode == 0, done.stderr
    with h5py.File(out) as file:
        assert file["β"][:].tolist() == [[0, 1, 2], [3, 4, 5]]
        assert file["soft"][:].tolist() == [0, 1, 2, 3]
        assert file["one"][()] == 3.5
        assert file["unwritten"][:].tolist() == [7, 7, 7]


def test_an_optional_dataset_need_not_be_there(program, tmp_path):
    with h5py.File(tmp_path / "in.h5", "w") as file:
        file["t0"], file["inner"], file["one"], file["group/in"] = np.ones(SHAPE), np.arange(4.0), 3.5, 1.5
    names = ["first:3?", "t0:3", "no:0?", "inner:1?", "group/no:1?", "no/no/no:1?", "one:0?"]
    done, out = copied(program, tmp_path, "double", *names)
    assert done.returncode == 0, done.stderr
    with h5py.File(out) as file:
        assert set(file) == {"t0", "inner", "one", "parameters"}
        assert np.array_equal(file["t0"][:], np.ones(SHAPE))
        assert file["inner"][:].tolist() == [0, 1, 2, 3]
        assert file["one"][()] == 3.5


def test_a_file_may_lack_all_that_is_optional(program, tmp_path):
    with h5py.File(tmp_path / "in.h5", "w") as file:
        file["other"] = 1
    done, out = copied(program, tmp_path, "float", "t0:3?", "beta:3?")
    assert done.returncode == 0, done.stderr
    with h5py.File(out) as file:
        assert set(file) == {"parameters"}


def test_a_file_that_somebody_writes_is_read(program, tmp_path):
    with h5py.File(tmp_path / "in.h5", "w") as file:  # HDF5's own lock would keep readers out
        file["t0"] = np.ones(SHAPE)
        file.flush()
        assert copied(program, tmp_path, "float", "t0:3")[0].returncode == 0


REFUSED = {
    "missing:3": "there is no /missing; at its root the file has /beta, /t0",
    "group/missing:3": "there is no /group/missing; at its root the file has ",
    "missing/inner:3": "there is no /missing/inner; at its root the file has ",
    "group:3": "/group is a group, not a dataset",
    "type:3": "/type is a named type, not a dataset",
    "beta:3": "/beta has 2 dimensions, 3 are needed",
    "scalar:3": "/scalar has 0 dimensions, 3 are needed",
    "null:3": "/null is empty",
    "hollow:3": "/hollow has the sizes [3,0,2]: none may be 0",
    "text:1": "/text holds strings; ",
    "ascii:1": "/ascii holds strings; ",
    "record:1": "/record holds compounds; ",
    "complex:1": "/complex holds compounds; ",
    "flags:1": "/flags holds booleans or other enumerated values; ",
    "lists:1": "/lists holds no numbers; ",
    "nowhere:3": "/nowhere is a soft link that leads to nothing in this file",
    "circle:3": "/circle is a soft link that leads to nothing in this file",
    "away:3": "/away is a link to another file, which is not followed",
    "roundabout:3": "/roundabout is a soft link that leads to nothing in this file",
    "virtual:3": "/virtual keeps its values in other files, which are not read",
    "raw:1": "/raw keeps its values in other files, which are not read",
    "lzf:3": "/lzf cannot be read (its filter 32000 lzf is not available)",
    "huge:3": "/huge has the sizes [100000,100000,10000]: ",
    "beyond:3": "/beyond has the sizes [4294967296,4294967296,2]: no machine holds that",
    "nan:3": "/nan[2,0,5] is nan, not a finite number; 2 of its 210 values are not finite as float",
    "large:3": "/large[1,2,3] is -1e+300, too large for float; 1 of its 210 values is not finite as float",
}  # fmt: skip

ABSENT = {"missing:3", "group/missing:3", "missing/inner:3"}


@pytest.fixture
def refused_file(tmp_path):
    """in.h5 with everything that REFUSED names, beside t0, which is good."""
    with h5py.File(tmp_path / "other.h5", "w") as other:
        other["t0"] = np.ones(SHAPE)
    nan, large = np.ones((2, *SHAPE))
    nan[2, 0, 5], nan[4, 5, 6], large[1, 2, 3] = np.nan, np.inf, -1e300
    layout = h5py.VirtualLayout(SHAPE, "f8")
    layout[:] = h5py.VirtualSource(tmp_path / "other.h5", "t0", SHAPE)
    (tmp_path / "raw.bin").write_bytes(bytes(24))
    with h5py.File(tmp_path / "in.h5", "w") as file:
        file["t0"], file["beta"], file["scalar"] = np.ones(SHAPE), np.ones((2, 3)), 1.0
        file["group/inner"], file["type"], file["null"] = np.ones(3), np.dtype("f4"), h5py.Empty("f4")
        file["hollow"], file["text"], file["ascii"] = np.ones((3, 0, 2)), ["one"], np.array([b"one"])
        file["record"], file["complex"] = np.zeros(3, "i4,f4"), np.zeros(3, complex)
        file["flags"], file["nan"], file["large"] = np.zeros(3, bool), nan, large
        file.create_dataset("lists", shape=(2,), dtype=h5py.vlen_dtype("f4"))
        file["nowhere"], file["circle"] = h5py.SoftLink("/nothing"), h5py.SoftLink("/circle")
        file["away"] = h5py.ExternalLink(tmp_path / "other.h5", "/t0")
        file["outside"] = h5py.ExternalLink(tmp_path / "other.h5", "/")
        file["roundabout"] = h5py.SoftLink("/outside/t0")
        file.create_virtual_dataset("virtual", layout)
        file.create_dataset("raw", shape=(3,), dtype="f8", external=[(str(tmp_path / "raw.bin"), 0, 24)])
        file.create_dataset("lzf", data=np.zeros((20, 20, 20)), compression="lzf")
        file.create_dataset("huge", shape=(100000, 100000, 10000), dtype="f4", chunks=(10, 10, 10))
        file.create_dataset("beyond", shape=(2**32, 2**32, 2), dtype="f4", chunks=(10, 10, 2))


@pytest.mark.parametrize("request_", REFUSED)
def test_refused_datasets(program, tmp_path, refused_file, request_):
    if request_ == "missing:3":  # a file whose names fill no line
        with h5py.File(tmp_path / "in.h5", "w") as file:
            file["t0"], file["beta"], file["group/inner"] = 1, 2, 3
    assert refusal(program, tmp_path, request_).startswith(REFUSED[request_])
    if request_ not in ABSENT:  # what is there must do, optional or not
        assert refusal(program, tmp_path, f"{request_}?").startswith(REFUSED[request_])
    assert copied(program, tmp_path, "float", f"t0:{0 if request_ == 'missing:3' else 3}")[0].returncode == 0


def test_what_double_can_hold(program, tmp_path, refused_file):
    done, out = copied(program, tmp_path, "double", "large:3")
    assert done.returncode == 0
    out.unlink()
    assert refusal(program, tmp_path, "nan:3", "double").endswith("not finite as double")


def test_only_some_of_many_names_are_told_and_none_breaks_the_line(program, tmp_path):
    with h5py.File(tmp_path / "in.h5", "w") as file:
        file["\n\x1b[31m" + "long" * 100] = 1
        for i in range(50):
            file[f"field{i:02}"] = 1
    line = refusal(program, tmp_path, "t0:3")
    assert "/??[31mlong" in line
    assert line.endswith("/field10, ...")


def test_files_that_are_none(program, tmp_path):
    path = tmp_path / "in.h5"
    assert refusal(program, tmp_path, "t0:3") == "no such file"
    path.mkdir()
    assert refusal(program, tmp_path, "t0:3") == "a folder, not a file"
    path.rmdir()
    os.mkfifo(path)
    assert refusal(program, tmp_path, "t0:3") == "not a regular file"
    path.unlink()
    for content in (b"", b"\x89HDF", b"text " * 1000):
        path.write_bytes(content)
        assert refusal(program, tmp_path, "t0:3") == "not an HDF5 file"


def test_a_form_that_came_after_this_library(program, tmp_path):
    with h5py.File(tmp_path / "in.h5", "w", libver=("v110", "v110")) as file:
        file["t0"] = np.ones(SHAPE)
    content = bytearray((tmp_path / "in.h5").read_bytes())
    content[8] = 250  # the version of the superblock
    (tmp_path / "in.h5").write_bytes(content)
    assert "it may need a later HDF5 than" in refusal(program, tmp_path, "t0:3")


def test_the_path_may_hold_any_byte(program, tmp_path):
    path = os.fsencode(tmp_path) + b"/in \xff.h5"
    with h5py.File(tmp_path / "in.h5", "w") as file:
        file["t0"] = 1.5
    os.rename(tmp_path / "in.h5", path)  # noqa: PTH104
    assert program("_copy_input", "float", os.fsdecode(path), tmp_path / "copy.h5", "t0:0").returncode == 0


def test_the_helpers_are_not_in_the_help(program):
    assert "_copy_input" not in program("--help").stdout
