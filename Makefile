# Gridmark's front door. Each target installs and builds what it needs; `make help` lists them.
# Variables: PRESET=quick|paper|full   EXPERIMENT=jacobi   MACHINE=name of a folder in results/   BASE=, NEW=, MACHINES= folders of results
SHELL := /bin/bash
# What scripts/install.sh puts there for a user without root, or where a tool is too old; else there is no such folder.
export PATH := $(CURDIR)/build/tools:$(CURDIR)/build/root/tools:$(PATH)
PRESET ?= quick
MACHINE ?= local
SET ?= results/ranks
NETWORK ?= cluster/network-ndr400.json
REFERENCE := results/nvidia-h100
OUT := results/$(MACHINE)
# DEVICE=1: which of several GPUs, by CUDA's number.
DEVICE ?=
ON := $(addprefix --device ,$(DEVICE))
PYTHON := scripts/python
PEERS_OUT := $(OUT)-with-peers
PLOTS := $(PYTHON) -m gridmark_plots
# One word for the shell, whatever stands in it: a folder may have a blank or an apostrophe in its name.
quoted = '$(subst ','\'',$(1))'

.PHONY: help reproduce test check check-further run peers contribute new-study plots record documents compare scaling build build-all install lint format mutants resolution demands reproducible sanitize tsan sanitize-gpu faults fuzz portable check-aarch64 cluster check-cluster doctor clean

help:
	@echo "make reproduce             everything: install, build, run all experiments, write the report"
	@echo "                           (PRESET=quick, the default; paper: published sizes; full: large ones too)"
	@echo "make test                  install, build, run the tests that guard what the product does;"
	@echo "                           last line: N passed, N failed"
	@echo "make check                 what CI runs: make test, and then make check-further: the linters, the sanitizer build,"
	@echo "                           injected faults, kept inputs of the fuzzers, a wrong study; 45 minutes on two cores"
	@echo "make doctor                one screen: what is here, what is missing, which claims that costs, what mends it"
	@echo "make run EXPERIMENT=jacobi one experiment, with its tables and graphs"
	@echo "make run EXPERIMENT=jacobi AXIS=\"nx=512:8192:*2 precision=float,double\" VARIANT=gpu_rows,cpu_openmp"
	@echo "                           sizes of your own into results/own, with graphs over them"
	@echo "                           DEVICE=1: on another GPU than the first (also reproduce, peers, contribute)"
	@echo "make peers                 the same with other frameworks' steps beside ours (JAX, PyTorch, CuPy, Devito, NumPy: docs/peers.md);"
	@echo "                           EXPERIMENT=heat: one study, PEERS_PYTHON=python3: the Python that has them"
	@echo "make contribute MACHINE=my-machine"
	@echo "                           results/my-machine for a pull request: all experiments, preset paper, checked"
	@echo "make new-study ID=wave     starts a study: a small one that works, for you to make yours"
	@echo "make plots                 tables, graphs and report from saved results; measures nothing"
	@echo "make record                write down the checksums of the reference's tables and graphs (results/report.sha256), and README's picture"
	@echo "make documents             write the measured numbers in README.md and docs/ anew, from results/"
	@echo "make compare               machines side by side, each by its own limits: all that there are, or"
	@echo "                           MACHINES=\"gtx-580 $(notdir $(REFERENCE)) results/local\" (folders, or their bare names)"
	@echo "make compare BASE=$(REFERENCE) NEW=results/local"
	@echo "                           two machines row by row"
	@echo "make scaling               efficiency over MPI ranks, as SET=results/ranks measured it (gridmark run --ranks), and by a model"
	@echo "                           on nodes joined by NETWORK=cluster/network-ndr400.json; NETWORK=: only what was measured"
	@echo "make build                 only build         make portable  a folder that runs on other machines"
	@echo "make mutants               which of the seeded defects (tests/mutants.toml) the tests catch; ONLY=heat: some;"
	@echo "                           RANDOM=40 SEED=1,2: forty by each seed, made by rule from the code itself; ONLY=kernels: of one part"
	@echo "make resolution            how often the measuring sees a difference where there is none, and one of 3 %"
	@echo "make demands               counts, on a GPU and under ncu, what each GPU variant costs a unit of its work, for the model"
	@echo "make reproducible          builds the commit twice, from nothing, and compares the two programs byte by byte"
	@echo "make sanitize              the command-line tests under AddressSanitizer and UBSan"
	@echo "make tsan                  the C++ tests under ThreadSanitizer (clang, LLVM's OpenMP)"
	@echo "make sanitize-gpu          compute-sanitizer over every CUDA variant, into results/MACHINE/sanitizers.md"
	@echo "make faults                crashes, hangs, full disks, Ctrl-C and the like, injected in real runs (part of make check)"
	@echo "make fuzz                  bad input: result files, command lines, HDF5 files, half an hour each; ONLY=hdf5: one,"
	@echo "                           SECONDS=60: shorter; what fails is kept in tests/fuzz/found; MINIMISE=1: keeps fewer inputs"
	@echo "make lint                  the linters (part of make check)    make format    put the code into form"
	@echo "make check-aarch64         builds for ARM and runs its tests under qemu (docs/hosts.md)"
	@echo "make cluster               ReFrame, for cluster/fleet.py: all nodes of a Slurm partition, ranked (docs/clusters.md)"
	@echo "make check-cluster         Slurm's daemons here, virtual nodes, one of them slow, one down, a job that is requeued"
	@echo "scripts/bare.sh trixie     the first two commands on a bare Debian 12 (bookworm) or 13, made by debootstrap;"
	@echo "                           AS_USER=1: as a user without root"

install:
	@scripts/install.sh

build: install
	@scripts/build.sh default gridmark

# With all test programs, those of `make check` too.
build-all: install
	@GRIDMARK_INSTALL_TESTS=1 scripts/install.sh
	@scripts/build.sh default

reproduce: build
	@scripts/run.sh $(call quoted,$(OUT)) --preset $(PRESET) $(ON)

run: build
	@[ -n $(call quoted,$(EXPERIMENT)) ] || { echo "make run EXPERIMENT=...: which? (build/gridmark list)" >&2; exit 2; }
	@if [ -z $(call quoted,$(AXIS)$(VARIANT)) ]; then scripts/run.sh $(call quoted,$(OUT)) $(EXPERIMENT) --preset $(PRESET) $(ON); exit; fi; \
	build/gridmark run $(EXPERIMENT) --preset $(PRESET) $(ON) $(foreach axis,$(AXIS),--axis $(call quoted,$(axis))) $(foreach name,$(VARIANT),--variant $(call quoted,$(name))) \
	    --out results/own && \
	$(PLOTS) own results/own >build/own.log && echo "Graphs: $$PWD/report/own/index.html"

# Those that are not there are left out, and said before anything is measured: that is no error.
peers: build
	@peers/start
	@scripts/run.sh $(call quoted,$(PEERS_OUT)) $(EXPERIMENT) --preset $(PRESET) $(ON) --peers peers/start

contribute: build
	@[ $(call quoted,$(MACHINE)) != local ] || { echo "make contribute MACHINE=...: which name shall the folder have?" >&2; exit 2; }
	@build/gridmark run --preset paper $(ON) --out $(call quoted,$(OUT))
	@build/gridmark check $(call quoted,$(OUT))

new-study:
	@scripts/new-study.sh $(call quoted,$(ID))

plots: build
	@scripts/report.sh $(call quoted,$(OUT))

record: build
	@$(PLOTS) report --gridmark build/gridmark --machines $(REFERENCE) --out build/record >build/record.log
	@cp build/record/SHA256SUMS results/report.sha256
	@cp build/record/figures/generations-speedups.svg docs/report.svg

documents: build
	@$(PYTHON) scripts/documents.py --gridmark build/gridmark

compare: build
	@if [ -z $(call quoted,$(BASE)$(NEW)) ]; then \
	    mapfile -t machines < <($(PYTHON) scripts/machines.py); \
	    $(PLOTS) machines $(or $(MACHINES),results/published/*/ "$${machines[@]}") --out report/machines; exit; \
	fi; \
	[ -n $(call quoted,$(BASE)) ] && [ -n $(call quoted,$(NEW)) ] && [ -z $(call quoted,$(MACHINES)) ] || \
	    { echo "make compare BASE=results/... NEW=results/..., or MACHINES=\"...\", or none of them" >&2; exit 2; }; \
	build/gridmark compare $(call quoted,$(BASE)) $(call quoted,$(NEW)) && \
	$(PLOTS) compare $(call quoted,$(BASE)) $(call quoted,$(NEW)) --gridmark build/gridmark --out report/compare

scaling: build
	@$(PLOTS) scaling $(call quoted,$(SET)) $(if $(NETWORK),--network $(call quoted,$(NETWORK))) --gridmark build/gridmark --out report/scaling \
	    >build/scaling.log && echo "Graphs: $$PWD/report/scaling/index.html"

test:
	@GRIDMARK_INSTALL_TESTS=1 scripts/install.sh
	@scripts/build.sh default gridmark_test_programs
	@$(PYTHON) scripts/test.py

# Nobody runs GPU code here: it is compiled once.
check check-further: export GRIDMARK_CHECK := 1
check: test check-further

check-further: lint
	@GRIDMARK_INSTALL_TESTS=1 scripts/install.sh
	@scripts/build.sh default
	@scripts/build.sh asan
	@$(PYTHON) scripts/test.py check

portable: install
	@scripts/build.sh portable

check-aarch64:
	@GRIDMARK_INSTALL_AARCH64=1 scripts/install.sh
	@scripts/check-aarch64.sh

cluster:
	@GRIDMARK_INSTALL_SYSTEM=0 GRIDMARK_INSTALL_PYTHON=0 GRIDMARK_INSTALL_CLUSTER=1 scripts/install.sh

check-cluster:
	@GRIDMARK_INSTALL_PYTHON=0 GRIDMARK_INSTALL_CLUSTER=1 GRIDMARK_INSTALL_SLURM=1 scripts/install.sh
	@scripts/build.sh default gridmark
	@cluster/check.sh

mutants: install
	@$(PYTHON) $(if $(RANDOM),scripts/random_mutants.py $(call quoted,$(RANDOM)) $(call quoted,$(or $(SEED),1)),scripts/mutants.py) \
	    $(if $(ONLY),$(call quoted,$(ONLY)))

resolution: build-all
	@$(PYTHON) scripts/resolution.py

demands: install
	@scripts/build.sh default gridmark
	@$(PYTHON) scripts/demands.py --gridmark build/gridmark

reproducible: install
	@scripts/reproducible.sh

sanitize: install
	@scripts/build.sh asan
	@$(PYTHON) scripts/sanitize.py address

tsan:
	@GRIDMARK_INSTALL_TSAN=1 scripts/install.sh
	@scripts/build.sh tsan
	@$(PYTHON) scripts/sanitize.py thread

sanitize-gpu: build-all
	@$(PYTHON) scripts/sanitize_gpu.py --gridmark build/gridmark --out $(call quoted,$(OUT))

faults: build-all
	@$(PYTHON) -m pytest -q -rs tests/cli/test_faults_*.py

fuzz: build
	@SECONDS_EACH=$(SECONDS) scripts/fuzz.sh $(ONLY)

lint:
	@GRIDMARK_INSTALL_LINT=1 scripts/install.sh
	@scripts/lint.sh

format:
	@git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format -i
	@$(PYTHON) -m ruff format cluster plots peers tests scripts

# Works before anything is installed.
doctor:
	@scripts/doctor.sh

clean:
	rm -rf build build-* report
