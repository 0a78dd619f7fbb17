"""What other machines hear: the portable folder's launcher, install.sh, unpack.sh, and an old driver."""

import hashlib
import json
import os
import shutil
import subprocess

import pytest
from conftest import BINARY, ROOT

MACHINE = os.uname().machine


def run(command, **environment):
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/bash\n" + text + "\n")
    path.chmod(0o755)
    return path


# The portable folder


@pytest.fixture(scope="module")
def portable(tmp_path_factory):
    """A portable folder of a program that prints its arguments and returns how many they are, and one."""
    folder = tmp_path_factory.mktemp("portable")
    (folder / "main.c").write_text(
        "#include <stdio.h>\n"
        "int main(int n, char** words) { for (int i = 1; i < n; ++i) puts(words[i]); return n; }\n"
    )
    built = run(["cc", folder / "main.c", "-o", folder / "gridmark", "-Wl,-rpath,$ORIGIN:/nowhere"])
    assert built.returncode == 0, built.stderr
    made = folder / "made"
    command = ["cmake", f"-DPROGRAM={folder / 'gridmark'}", f"-DFOLDER={made}", f"-DMACHINE={MACHINE}"]
    done = run([*command, "-P", ROOT / "cmake" / "CollectLibraries.cmake"])
    assert done.returncode == 0, done.stderr
    return made


def needed_glibc(portable):
    """By objdump, apart from CMake's own reading."""
    symbols = run(["objdump", "-T", portable / "lib" / "gridmark"]).stdout
    versions = {word.strip("()")[6:] for word in symbols.split() if word.strip("()").startswith("GLIBC_2")}
    return max(tuple(map(int, version.split("."))) for version in versions)[:2]


def launch(portable, tmp_path, machine=MACHINE, library="glibc 2.99", words=()):
    """The launcher on a machine that calls itself so."""
    script(tmp_path / "fake" / "uname", f"echo {machine}")
    script(tmp_path / "fake" / "getconf", f"echo '{library}'" if library else "exit 1")
    return run([portable / "gridmark", *words], PATH=f"{tmp_path / 'fake'}:{os.environ['PATH']}")


def test_the_launcher_hands_on_words_and_exit_code(portable, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(portable / "gridmark")
    done = run([link, "a b", "*"])
    assert (done.stdout, done.returncode) == ("a b\n*\n", 3)


def test_the_launcher_refuses_another_processor(portable, tmp_path):
    done = launch(portable, tmp_path, machine="riscv64")
    major, minor = needed_glibc(portable)
    assert done.returncode == 2
    assert done.stderr == (
        f"gridmark: this folder needs Linux on {MACHINE} with glibc {major}.{minor} or later; "
        "this processor is riscv64\n"
    )


@pytest.mark.parametrize("library", ["", "musl 1.2"])
def test_the_launcher_refuses_another_c_library(portable, tmp_path, library):
    done = launch(portable, tmp_path, library=library)
    assert done.returncode == 2
    assert done.stderr.endswith("; this system's C library is another\n") and done.stderr.count("\n") == 1


def test_the_launcher_compares_versions_as_numbers(portable, tmp_path):
    major, minor = needed_glibc(portable)
    for version in (f"{major}.{minor - 1}", f"{major}.2", f"{major - 1}.99"):
        done = launch(portable, tmp_path, library=f"glibc {version}")
        assert done.returncode == 2 and done.stderr.endswith(f"; this system has glibc {version}\n")
    for version in (f"{major}.{minor}", f"{major}.{minor}.9000", f"{major}.1000", f"{major + 1}.0"):
        assert launch(portable, tmp_path, library=f"glibc {version}").returncode == 1, version


def test_the_folder_forgets_the_builds_own_folders(portable):
    assert b"/nowhere" not in (portable / "lib" / "gridmark").read_bytes()


# install.sh


@pytest.fixture
def install(tmp_path):
    """install.sh in a tree of its own, on a PATH of a few commands. unpack.sh and stubs note their words."""
    tree = tmp_path / "tree"
    (tree / "scripts").mkdir(parents=True)
    for name in ("install.sh", "environment.sh"):
        shutil.copy(ROOT / "scripts" / name, tree / "scripts")
    script(tree / "scripts" / "unpack.sh", f'echo "unpack $*" >>{tmp_path}/said; exit 7')
    commands = tmp_path / "commands"
    commands.mkdir()
    for name in ("bash", "cat", "cmp", "dirname", "env", "grep"):
        (commands / name).symlink_to(shutil.which(name))

    def call(*stubs, **environment):
        for stub in stubs:
            name, text = stub.split(":", 1)
            script(commands / name, f'echo "{name} $*" >>{tmp_path}/said; {text}')
        done = run([tree / "scripts" / "install.sh"], PATH=str(commands), **environment)
        said = tmp_path / "said"
        return done, said.read_text().splitlines() if said.exists() else []

    return call


def test_without_apt_one_paragraph_says_what_is_needed(install):
    done, said = install("id:echo 1000")
    assert done.returncode == 1
    for word in ("dnf install", "zypper\ninstall", "spack install", "conda install", "`make portable`"):
        assert word in done.stderr
    assert "\n\n" not in done.stderr
    assert not any("unpack" in line for line in said)


APT = ("apt-get:exit 0", "dpkg:echo amd64", "dpkg-query:exit 1")


@pytest.mark.parametrize("sudo", [(), ("sudo:exit 1",)], ids=["no sudo", "sudo wants a password"])
def test_without_root_the_packages_are_unpacked(install, sudo):
    done, said = install("id:echo 1000", *APT, *sudo, GRIDMARK_INSTALL_TESTS="1")
    assert done.returncode == 7
    (unpacked,) = (line for line in said if line.startswith("unpack"))
    words = unpacked.split()
    assert words[1].endswith("/build/root") and words[2] == "amd64"
    assert {"g++", "cmake", "python3-venv", "alone:libvalijson-dev"} <= set(words)
    assert "chromium" not in words and "libvalijson-dev" not in words
    assert not any(line.startswith("apt-get") for line in said)


def test_with_sudo_apt_installs_them(install):
    done, said = install("id:echo 1000", *APT, "sudo:[ $1 = -n ] && shift && [ $1 = true ] || exit 9")
    assert done.returncode == 9
    assert said[-1] == "sudo -n apt-get update -qq"


def test_without_root_linters_are_refused_in_one_line(install):
    done, said = install("id:echo 1000", *APT, GRIDMARK_INSTALL_LINT="1")
    assert done.returncode == 1
    assert (
        done.stderr.startswith("Not root: ") and "clang-tidy" in done.stderr and done.stderr.count("\n") == 1
    )
    assert not any("unpack" in line for line in said)


# unpack.sh


class Archive:
    """A folder of packages that apt reads as a source."""

    def __init__(self, folder):
        self.folder = folder
        self.folder.mkdir()
        self.index = ""
        self.sources = folder.with_suffix(".list")
        self.sources.write_text(f"deb [trusted=yes allow-insecure=yes] copy:{folder} ./\n")

    def add(self, name, depends="", links=(), postinst=""):
        tree = self.folder.with_name(name)
        control = f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: nobody <a@example.org>\n"
        control += f"Depends: {depends}\n" * bool(depends) + "Description: none\n"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN" / "control").write_text(control)
        if postinst:
            script(tree / "DEBIAN" / "postinst", postinst)
        (tree / "lib").mkdir()
        (tree / "lib" / name).write_text(name)
        for link, target in links:
            (tree / link).symlink_to(target)
        file = self.folder / f"{name}.deb"
        built = run(["dpkg-deb", "--root-owner-group", "-b", tree, file])
        assert built.returncode == 0, built.stderr
        content = file.read_bytes()
        self.index += control + f"Filename: ./{file.name}\nSize: {len(content)}\n"
        self.index += f"SHA256: {hashlib.sha256(content).hexdigest()}\n\n"
        (self.folder / "Packages").write_text(self.index)
        return file


@pytest.fixture
def archive(tmp_path):
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not on this machine, so nobody can unpack packages here")
    archive = Archive(tmp_path / "archive")
    archive.add(
        "one",
        depends="two",
        links=[("lib/full", "/lib/two")],
        postinst="update-alternatives --install /usr/bin/tool tool /usr/lib/one 10 \\\n"
        "  --slave /usr/share/tool.txt tool.txt \\\n\t/usr/lib/two",
    )
    archive.add("two")
    return archive


def unpack(folder, archive, *packages):
    return run([ROOT / "scripts" / "unpack.sh", folder, "s390x", *packages], SOURCES=str(archive.sources))


def test_packages_are_unpacked_with_what_they_need_and_once(archive, tmp_path):
    folder = tmp_path / "root"
    done = unpack(folder, archive, "one")
    assert done.returncode == 0, done.stderr
    assert (folder / "usr/lib/two").read_text() == "two"
    for link in ("lib/full", "usr/bin/tool", "usr/share/tool.txt"):
        assert not (folder / link).readlink().is_absolute() and (folder / link).exists(), link
    shutil.rmtree(archive.folder)  # nothing is left to download
    assert unpack(folder, archive, "two", "one").returncode == 0


def test_further_packages_join_those_that_are_there(archive, tmp_path):
    folder = tmp_path / "root"
    assert unpack(folder, archive, "alone:one").returncode == 0
    assert (folder / "lib/one").exists() and not (folder / "lib/two").exists()
    done = unpack(folder, archive, "two", "alone:one")
    assert done.returncode == 0, done.stderr
    status = (folder / "var/lib/dpkg/status").read_text()
    assert status.count("Package: ") == status.count("install ok installed") == 2 and "Depends" not in status


def test_a_damaged_package_leaves_no_folder_that_passes_for_whole(archive, tmp_path):
    file = archive.folder / "two.deb"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    folder = tmp_path / "root"
    done = unpack(folder, archive, "one")
    assert done.returncode == 1 and "could not be downloaded" in done.stderr
    assert not (folder / "var/lib/dpkg/status").exists() and not (folder / "lib/one").exists()
    file.write_bytes(whole)
    assert unpack(folder, archive, "one").returncode == 0


# An old driver


def test_an_old_driver_is_told_which_is_needed(tmp_path):
    source = tmp_path / "cuda.c"
    source.write_text(
        "int cuInit(unsigned flags) { return 0; }\nint cuDriverGetVersion(int* v) { *v = 11040; return 0; }\n"
    )
    built = run(["cc", "-shared", "-fPIC", source, "-o", tmp_path / "libcuda.so.1"])
    assert built.returncode == 0, built.stderr
    listed = run([BINARY, "list", "--json"], LD_LIBRARY_PATH=str(tmp_path))
    variants = json.loads(listed.stdout)["experiments"][0]["variants"]
    reason = next(variant["reason"] for variant in variants if variant["kind"] == "cuda")
    if "built without" in reason:
        pytest.skip("this program is built without CUDA")
    assert reason.startswith("the driver knows CUDA 11.4 and this program needs ")
    assert ": driver 5" in reason and reason.endswith(" or later")
