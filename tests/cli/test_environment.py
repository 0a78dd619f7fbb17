"""What a machine holds beside the project: other Pythons, conda, old tools, several toolkits and GPUs."""

import json
import os
import shutil
import subprocess

import pytest
from conftest import BINARY, ROOT
from test_hosts import run, script

CLEAN = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


def bash(text, project=ROOT, **environment):
    """Runs a line after scripts/environment.sh of a project, in that environment alone."""
    done = subprocess.run(
        ["bash", "-c", f". {project}/scripts/environment.sh; {text}"],
        env={**CLEAN, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def kept(**environment):
    """The variables that are left of these."""
    lines = bash("env -0", **environment).split("\0")
    return {name: value for name, _, value in (line.partition("=") for line in lines) if name in environment}


# Variables


OTHERS = {
    "PIP_USER": "1",
    "PIP_TARGET": "/elsewhere",
    "PIP_PREFIX": "/elsewhere",
    "PIP_REQUIRE_VIRTUALENV": "1",
    "PIP_NO_DEPS": "1",
    "PYTHONHOME": "/elsewhere",
    "PYTHONPATH": "/elsewhere",
    "PYTHONSTARTUP": "/elsewhere.py",
    "PYTHONWARNINGS": "error",
    "VIRTUAL_ENV": "/elsewhere",
}
NETWORK = {
    "PIP_INDEX_URL": "https://example.org/simple",
    "PIP_EXTRA_INDEX_URL": "https://example.org/more",
    "PIP_CERT": "/etc/cert.pem",
    "PIP_FIND_LINKS": "/wheels",
    "https_proxy": "http://example.org:3128",
    "SSL_CERT_FILE": "/etc/cert.pem",
}


def test_other_pythons_and_their_pip_are_left_behind_and_the_network_is_not():
    assert kept(**OTHERS, **NETWORK) == {"PIP_USER": "0", **NETWORK}


CONDA = {
    "CONDA_PREFIX": "/opt/conda/envs/mine",
    "CONDA_TOOLCHAIN_HOST": "x86_64-conda-linux-gnu",
    "CC": "/opt/conda/envs/mine/bin/x86_64-conda-linux-gnu-cc",
    "CXX": "x86_64-conda-linux-gnu-c++",
    "CFLAGS": "-march=nocona -isystem /opt/conda/envs/mine/include",
    "LDFLAGS": "-Wl,-rpath,/opt/conda/envs/mine/lib",
    "CMAKE_PREFIX_PATH": "/opt/conda/envs/mine:/opt/conda/envs/mine/sysroot/usr",
    "NVCC_PREPEND_FLAGS": "-ccbin=/opt/conda/envs/mine/bin/x86_64-conda-linux-gnu-c++",
    "LD_LIBRARY_PATH": "/opt/conda/envs/mine/lib",
}


def test_conda_keeps_its_toolkit_and_nothing_else():
    path = f"/opt/conda/envs/mine/bin:{os.environ['PATH']}"
    found = kept(**CONDA, PATH=path)
    assert "/opt/conda" not in found.pop("PATH")
    assert found == {"CONDA_PREFIX": CONDA["CONDA_PREFIX"]}


def test_conda_stays_where_the_system_is_not_ours_to_install():
    assert kept(**CONDA, GRIDMARK_INSTALL_SYSTEM="0") == {**CONDA, "GRIDMARK_INSTALL_SYSTEM": "0"}


def test_compilers_and_flags_that_the_user_chose_stay():
    chosen = {"CC": "gcc-13", "CXX": "g++-13", "CXXFLAGS": "-O2", "CUDACXX": "nvcc", "CUDAARCHS": "120"}
    assert kept(**chosen) == chosen
    assert kept(**chosen, CONDA_PREFIX="/opt/conda")["CXX"] == "g++-13"


@pytest.mark.parametrize("call", ["scripts/python", "../scripts/python"])
def test_the_projects_python_is_its_own(tmp_path, call):
    (tmp_path / "numpy.py").write_text("raise SystemExit('the wrong one')")
    words = [ROOT / "scripts" / "python"] if call.startswith("scripts") else [call]
    done = subprocess.run(
        [*words, "-c", "import numpy, gridmark_plots, sys; print(sys.prefix)"],
        cwd=ROOT / "tests",
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONHOME": "/nowhere", "PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(ROOT / "build" / "venv")


# Old tools


@pytest.mark.parametrize(
    ("version", "wanted", "enough"),
    [
        ("3.25.1", "3.25", True),
        ("3.25", "3.25", True),
        ("3.22.1", "3.25", False),
        ("3.9", "3.25", False),
        ("3.100", "3.25", True),
        ("4.0.3", "3.25", True),
        ("4", "3.25", True),
        ("none", "3.25", False),
        ("", "3.11", False),
        ("3.12", "3.11", True),
    ],
)
def test_versions_are_compared_as_numbers(version, wanted, enough):
    assert bash(f"at_least '{version}' {wanted} && echo yes || echo no").strip() == (
        "yes" if enough else "no"
    )


@pytest.fixture
def tree(tmp_path):
    """The scripts and the CMake files in a tree of their own, with a folder that stands first on the PATH."""
    copy = tmp_path / "tree"
    shutil.copytree(ROOT / "scripts", copy / "scripts")
    shutil.copytree(ROOT / "cmake", copy / "cmake")
    (copy / "plots").mkdir()
    shutil.copy(ROOT / "plots" / "requirements.txt", copy / "plots")
    (copy / "bin").mkdir()
    return copy


def call(tree, words, **environment):
    path = f"{tree / 'bin'}:{environment.pop('PATH', os.environ['PATH'])}"
    return run([tree / words[0], *words[1:]], PATH=path, **environment)


def test_an_old_cmake_is_said_in_one_line_with_what_mends_it(tree):
    script(tree / "bin" / "cmake", "echo 'cmake version 3.22.1'")
    done = call(tree, ["scripts/build.sh", "default"])
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "3.25" in done.stderr and "3.22.1" in done.stderr and "scripts/install.sh" in done.stderr


def test_a_newer_cmake_comes_from_its_own_wheel(tree, tmp_path):
    script(tree / "bin" / "cmake", "echo 'cmake version 3.22.1'")
    python = tree / "build" / "venv" / "bin" / "python"
    script(python, f'echo "$*" >>{tmp_path}/asked')
    shutil.copy(tree / "plots" / "requirements.txt", tree / "build" / "venv")
    done = call(tree, ["scripts/install.sh"], GRIDMARK_INSTALL_SYSTEM="0")
    assert done.returncode == 0, done.stderr
    assert "install" in (tmp_path / "asked").read_text() and " cmake==" in (tmp_path / "asked").read_text()
    script(tree / "build" / "venv" / "bin" / "cmake", "echo 'cmake version 3.31.6'")
    found = subprocess.run(
        ["bash", "-c", f". {tree}/scripts/environment.sh; cmake_version"],
        env={**os.environ, "PATH": f"{tree / 'bin'}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "3.31.6"


def test_an_old_python_is_passed_over(tree):
    old = "[ \"$1\" = --version ] && echo 'Python 3.10.12' || echo 3.10"
    for name in ("python3", "python3.14", "python3.13", "python3.12", "python3.11"):
        script(tree / "bin" / name, old)
    done = call(tree, ["scripts/install.sh"], GRIDMARK_INSTALL_SYSTEM="0")
    assert done.returncode == 1
    assert "3.10.12" in done.stderr and "3.11" in done.stderr and "Traceback" not in done.stderr
    script(tree / "bin" / "python3.12", "echo 3.12")
    # This project may have a Python of its own, first on the PATH.
    assert bash("new_python", tree, PATH=f"{tree / 'bin'}:{os.environ['PATH']}").strip() == "python3.12"


# Toolkits


def nvcc(root, version, compiles=True):
    """A stand-in that makes programs, or refuses the host's compiler as an old one does."""
    works = 'while [ "$1" != -o ]; do shift; done; : >"$2"'
    fails = (
        "echo 'error: -- unsupported GNU version! gcc versions later than 11 are not supported!' >&2; exit 1"
    )
    return script(
        root / "bin" / "nvcc",
        f'if [ "$1" = --version ]; then echo "release {version[:4]}, V{version}"; exit; fi\n'
        + (works if compiles else fails),
    )


def toolkits(*roots):
    done = run(
        [
            "cmake",
            f"-DGRIDMARK_CUDA_ROOTS={';'.join(map(str, roots))}",
            "-P",
            ROOT / "cmake/GridmarkNvcc.cmake",
        ]
    )
    assert done.returncode == 0, done.stderr
    return [line.removeprefix("-- CUDA: ") for line in done.stdout.splitlines()]


def test_the_newest_toolkit_that_fits_is_taken_and_all_are_listed(tmp_path):
    nvcc(tmp_path / "old", "12.9.86")
    nvcc(tmp_path / "newer", "12.10.1")
    nvcc(tmp_path / "newest", "13.2.51", compiles=False)
    script(tmp_path / "mute" / "bin" / "nvcc", "exit 1")
    lines = toolkits(*(tmp_path / name for name in ("old", "mute", "newer", "newest", "none")))
    (taken,) = (line for line in lines if ": taken" in line)
    assert "12.10.1" in taken and str(tmp_path / "newer") in taken
    (refused,) = (line for line in lines if "13.2.51" in line)
    assert "unsupported GNU version" in refused
    assert any("CUDAHOSTCXX" in line for line in lines)
    assert any(str(tmp_path / "old") in line and "not taken" in line for line in lines)
    assert any(str(tmp_path / "mute") in line and "version" in line for line in lines)


def test_a_toolkit_counts_once_however_often_it_is_linked(tmp_path):
    nvcc(tmp_path / "cuda-13", "13.0.88")
    (tmp_path / "cuda").symlink_to("cuda-13")
    assert len(toolkits(tmp_path / "cuda", tmp_path / "cuda-13")) == 1
    assert toolkits(tmp_path / "nothing") == []


@pytest.mark.parametrize(
    ("known", "chosen", "portable"),
    [
        (
            "75;80;86;87;88;89;90;100;110;103;120;121",
            {"75-virtual", "80-virtual", "90", "100-virtual"},
            "75-real;80-real;86-real;89-real;90-real;100-real;120",
        ),
        (
            "50;60;70;75;80;86;87;89;90",
            {"75-virtual", "80-virtual", "90"},
            "75-real;80-real;86-real;89-real;90",
        ),
        (
            "75;80;90;100;120;130;131",
            {"75-virtual", "80-virtual", "90", "100-virtual"},
            "75-real;80-real;90-real;100-real;120-real;130",
        ),
    ],
)
def test_architectures_are_of_those_that_the_compiler_knows(tmp_path, known, chosen, portable):
    (tmp_path / "ask.cmake").write_text(
        f"""cmake_minimum_required(VERSION 3.25)
        set(CMAKE_SYSTEM_PROCESSOR x86_64)
        list(APPEND CMAKE_MODULE_PATH {ROOT}/cmake)
        include(GridmarkCuda)
        gridmark_architectures("{known}" chosen)
        gridmark_architectures("{known}" portable PORTABLE)
        message(STATUS "${{chosen}} ${{portable}}")"""
    )
    done = run(["cmake", "-P", tmp_path / "ask.cmake"])
    assert done.returncode == 0, done.stderr
    by_default, everywhere = done.stdout.splitlines()[-1].removeprefix("-- ").split(" ")
    assert chosen <= set(by_default.split(";"))
    assert not {"121-virtual", "103-virtual", "131-virtual"} & set(by_default.split(";"))
    assert everywhere == portable


def test_the_visible_gpus_are_compiled_for_each_kind_once(tmp_path):
    smi = script(tmp_path / "nvidia-smi", "printf '9.0\\n12.0\\n9.0\\n13.0\\n[N/A]\\n'")
    (tmp_path / "ask.cmake").write_text(
        f"""cmake_minimum_required(VERSION 3.25)
        list(APPEND CMAKE_MODULE_PATH {ROOT}/cmake)
        include(GridmarkCuda)
        set(GRIDMARK_NVIDIA_SMI {smi})
        gridmark_visible_architectures("75;80;90;120;121" chosen)
        message(STATUS "${{chosen}}")"""
    )
    done = run(["cmake", "-P", tmp_path / "ask.cmake"])
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "-- 90-real;120-real;121-virtual"
    assert "13.0" in done.stdout and "newer toolkit" in done.stdout


# make


@pytest.mark.parametrize("target", ["reproduce", "run EXPERIMENT=heat", "contribute MACHINE=mine", "peers"])
def test_make_measures_on_the_chosen_gpu(target):
    for words, wanted in ((["DEVICE=1"], True), ([], False)):
        done = run(["make", "-n", "-C", ROOT, *target.split(), *words])
        assert done.returncode == 0, done.stderr
        measuring = [line for line in done.stdout.splitlines() if "--preset" in line and "help" not in line]
        assert measuring and all(("--device 1" in line) == wanted for line in measuring), measuring


# make doctor


def doctor(tree, **environment):
    """What it says, which is one screen of at most 40 lines of 100 columns."""
    done = call(tree, ["scripts/doctor.sh"], **environment)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 40 and max(map(len, lines)) <= 100, done.stdout
    return done.stdout


def test_the_doctor_comes_before_anything_is_installed_or_built(tree, tmp_path):
    nvcc(tmp_path / "old", "12.0.140", compiles=False)
    for name in ("dpkg-query", "dpkg"):
        script(tree / "bin" / name, "exit 1")
    said = doctor(tree, GRIDMARK_CUDA_ROOTS=str(tmp_path / "old"))
    for word in (
        "libfmt-dev",
        "mend: make install",
        "mend: make build",
        "12.0.140",
        "unsupported GNU version",
    ):
        assert word in " ".join(said.split()), said
    assert "none that fits" in said
    nvcc(tmp_path / "new", "13.0.88")
    said = doctor(tree, GRIDMARK_CUDA_ROOTS=f"{tmp_path / 'old'};{tmp_path / 'new'}")
    assert "13.0.88" in said and "none that fits" not in said


def test_the_doctor_lets_the_program_say_the_rest(tree):
    script(tree / "build" / "gridmark", 'echo "asked: $*"')
    assert "asked: machine --doctor" in doctor(tree, GRIDMARK_CUDA_ROOTS="/nowhere")


def test_the_program_says_which_claims_stay_open_without_a_gpu():
    """On every machine that tests run on: with its GPUs hidden."""
    done = run([BINARY, "machine", "--doctor"], CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 30 and max(map(len, lines)) <= 100, done.stdout
    said = " ".join(done.stdout.split())
    claims = json.loads(run([BINARY, "list", "--json"]).stdout)["experiments"]
    ids = [claim["id"] for experiment in claims for claim in experiment["claims"]]
    lost = said[said.rindex("NOT RUN: ") :].split()[2:]
    assert f"{len(lost)} of {len(ids)} claims" in said
    assert lost and set(lost) < set(ids), "a claim of the CPU alone needs no GPU"
    assert "mend: " in said
