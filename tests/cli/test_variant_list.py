"""How the build finds GPU variants: at the ends of kernel files, in the order of study.json."""

import re
import shutil
import subprocess

import pytest
from conftest import ROOT


@pytest.fixture
def listed(tmp_path):
    """Runs the build's rule over files of a made-up study; the program and the names by executor."""

    def run(described, **files):
        (tmp_path / "experiments" / "toy").mkdir(parents=True)
        lines = ",\n".join(f'    "{name}": "gpu_last; [a]: {{b}}"' for name in described)
        other = '"colours": {\n    "gpu_forgotten": "red"\n  }'
        study = f'{{\n  "id": "gpu_last",\n  "variants": {{\n{lines}\n  }},\n  {other}\n}}\n'
        (tmp_path / "experiments" / "toy" / "study.json").write_text(study)
        (tmp_path / "kernels" / "launch").mkdir(parents=True)
        shutil.copy(ROOT / "kernels" / "launch" / "gpu_variants.cpp.in", tmp_path / "kernels" / "launch")
        by_kind = {"cpp": [], "cu": []}
        for name, entries in files.items():
            file = re.sub("_(cu|cpp)$", r".\1", name)
            by_kind[file.split(".")[1]].append(file)
            ends = "".join(f"GRIDMARK_INSTANTIATE_VARIANT({entry});\n" for entry in entries)
            (tmp_path / file).write_text(f"// GRIDMARK_INSTANTIATE_VARIANT(not_this);\n{ends}")
        words = " ".join(f'"{";".join(names)}"' for names in by_kind.values())
        (tmp_path / "rule.cmake").write_text(
            f"include({ROOT}/cmake/GridmarkKernels.cmake)\ngridmark_variant_list(toy list {words})\n"
        )
        settings = ["-DCMAKE_SYSTEM_PROCESSOR=x86_64", f"-DPROJECT_SOURCE_DIR={tmp_path}"]
        command = ["cmake", *settings, "-P", "rule.cmake"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        made = tmp_path / "gpu_variants.cpp"
        tables = re.findall(r"table\[\]\{(.*?)\};", made.read_text(), re.S) if made.exists() else []
        return done, [re.findall(r"(\w+)<T>\(\)", table) for table in tables]

    return run


def test_entries_stand_in_the_order_of_their_descriptions(listed):
    described = ["cpu_plain", "gpu_second", "gpu_first", "gpu_last"]
    done, (host, cuda) = listed(described, a_cu=["gpu_first", "gpu_last"], b_cu=["gpu_second"])
    assert done.returncode == 0, done.stderr
    assert host == cuda == ["gpu_second", "gpu_first", "gpu_last"]


def test_the_host_has_its_own_entries_first(listed):
    done, (host, cuda) = listed(["gpu_only"], a_cu=["gpu_only"], cpu_cpp=["cpu_in_place"])
    assert done.returncode == 0, done.stderr
    assert (host, cuda) == (["cpu_in_place", "gpu_only"], ["gpu_only"])


def test_an_entry_without_a_description_is_refused_by_name(listed):
    done, tables = listed(["gpu_here"], a_cu=["gpu_here", "gpu_forgotten"])
    assert done.returncode != 0 and tables == []
    assert "gpu_forgotten has no line among the variants of experiments/toy/study.json" in " ".join(
        done.stderr.split()
    )


def test_a_study_without_entries_gets_no_list(listed):
    done, tables = listed([], a_cu=[])
    assert done.returncode == 0 and tables == []
