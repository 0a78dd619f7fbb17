"""A ReFrame check: any study and preset on a partition's nodes, one task a GPU; cluster/fleet.py starts it.

Every row with a time is a performance variable, `<node>-gpu<k>/<row>`. Its reference is the same row of the
set `base`; it fails where `gridmark compare` calls the row slower, and nowhere else. What `compare` cannot
compare (estimates, CPU rows without a margin) has no reference and is only logged.
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import run_after, run_before, sanity_function, variable
from reframe.core.exceptions import SanityError

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from fleet import PROGRAM, RESULTS, folders, result_files, upper_threshold, why_not  # noqa: E402


@rfm.simple_test
class Gridmark(rfm.RunOnlyRegressionTest):
    """Gridmark on one node of a partition (`--distribute`: on each of them)."""

    descr = "Gridmark: verified kernels beside their limits"
    valid_systems = ["*"]  # noqa: RUF012
    valid_prog_environs = ["*"]  # noqa: RUF012

    studies = variable(str, value="")
    preset = variable(str, value="quick")
    rows = variable(str, value="")
    program = variable(str, value=str(PROGRAM))
    results = variable(str, value=str(RESULTS))
    base = variable(str, value="")
    margin = variable(str, value="")

    @run_after("setup")
    def ask_for_the_node(self):
        """One task a GPU, with its share of the CPUs, and nobody beside it."""
        extras = self.current_partition.extras
        self.num_tasks = self.num_tasks_per_node = extras["gpus"]
        self.num_cpus_per_task = extras["cpus"] // extras["gpus"]
        self.exclusive_access = True

    @run_before("run")
    def write_the_job(self):
        """A job that may be preempted, and then goes on where it was."""
        self.job.options += ["--gpus-per-task=1", "--requeue", "--open-mode=append"]
        words = [*self.studies.split(), "--preset", self.preset]
        words += ["--filter", self.rows] if self.rows else []
        words = [str(HERE / "gridmark.sbatch"), "--task", self.results, self.program, *words]
        self.executable = "bash"
        self.executable_opts = [shlex.quote(word) for word in words]
        self.postrun_cmds = ['echo "gridmark ended with $?"']

    @sanity_function
    def ended_well(self):
        """Whether all tasks did what they were asked for."""
        why = why_not(self.text(self.stdout), self.text(self.stderr))
        if why:
            raise SanityError(why)
        return True

    def text(self, name) -> str:
        """A file of the job; empty where it never began."""
        path = Path(self.stagedir, str(sn.evaluate(name)))
        return path.read_text(errors="replace") if path.exists() else ""

    @run_before("performance")
    def take_rows(self):
        """Rows become performance variables; those of `base` their references."""
        found, references = {}, {}
        for folder in folders(self.text(self.stdout)):
            for _, document in result_files(folder):
                for row in document["rows"]:
                    if row["quantity"] == "time" and row["median"] is not None:
                        name = f"{folder.name}/{row['name']}"
                        found[name] = sn.make_performance_function(sn.defer(row["median"]), row["unit"])
            for row in self.compared(folder):
                name, threshold = f"{folder.name}/{row['name']}", upper_threshold(row)
                if name in found and threshold is not None:
                    references[name] = (row["base"], None, threshold, row["unit"])
        self.perf_variables = found
        self.reference = {"*": references}

    def compared(self, folder: Path) -> list[dict]:
        """Rows of `gridmark compare base folder`; none without a base."""
        if not self.base:
            return []
        command = [*self.program.split(), "compare", self.base, str(folder), "--json"]
        if self.margin:
            command += ["--margin", *self.margin.split()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SanityError(done.stderr.strip())
        return json.loads(done.stdout)["rows"]
