# Gridmark's front door. Each target installs and builds what it needs; `make help` lists them.
# Variables: PRESET=quick|paper|full   EXPERIMENT=jacobi   MACHINE=name of a folder in results/   BASE=, NEW= folders
SHELL := /bin/bash
PRESET ?= quick
MACHINE ?= local
OUT := results/$(MACHINE)
RUN := build/gridmark run
PYTHON := build/venv/bin/python
PLOTS := PYTHONPATH=plots $(PYTHON) -m gridmark_plots

.PHONY: help reproduce test run contribute new-study plots compare build install lint format portable clean

help:
	@echo "make reproduce             everything: install, build, run all experiments, write the report"
	@echo "                           (PRESET=quick, the default; paper: published sizes; full: large ones too)"
	@echo "make test                  install, build, run every test; last line: N passed, N failed"
	@echo "make run EXPERIMENT=jacobi one experiment, with its tables and graphs"
	@echo "make contribute MACHINE=my-machine"
	@echo "                           results/my-machine for a pull request: all experiments, preset paper, checked"
	@echo "make new-study ID=wave     starts a study: a small one that works, for you to make yours"
	@echo "make plots                 tables, graphs and report from saved results; measures nothing"
	@echo "make compare BASE=results/nvidia-h200 NEW=results/local"
	@echo "                           two machines side by side"
	@echo "make build                 only build         make portable  a folder that runs on other machines"
	@echo "make lint                  the linters of CI  make format    put the code into form"

install:
	@scripts/install.sh

build: install
	@scripts/build.sh default

reproduce: build
	@code=0; $(RUN) --preset $(PRESET) --out $(OUT) || code=$$?; \
	[ $$code -le 1 ] || exit $$code; \
	scripts/report.sh $(OUT); exit $$code

run: build
	@[ -n "$(EXPERIMENT)" ] || { echo "make run EXPERIMENT=...: which? (build/gridmark list)" >&2; exit 2; }
	@code=0; $(RUN) $(EXPERIMENT) --preset $(PRESET) --out $(OUT) || code=$$?; \
	[ $$code -le 1 ] || exit $$code; \
	scripts/report.sh $(OUT); exit $$code

contribute: build
	@[ "$(MACHINE)" != local ] || { echo "make contribute MACHINE=...: which name shall the folder have?" >&2; exit 2; }
	@$(RUN) --preset paper --out $(OUT)
	@build/gridmark check $(OUT)

new-study:
	@scripts/new-study.sh $(ID)

plots: build
	@scripts/report.sh $(OUT)

compare: build
	@[ -n "$(BASE)" ] && [ -n "$(NEW)" ] || { echo "make compare BASE=results/... NEW=results/..." >&2; exit 2; }
	@build/gridmark compare $(BASE) $(NEW)
	@$(PLOTS) compare $(BASE) $(NEW) --gridmark build/gridmark --out report/compare

test: build
	@GRIDMARK_INSTALL_TESTS=1 scripts/install.sh
	@scripts/build.sh asan
	@$(PYTHON) scripts/test.py

portable: install
	@scripts/build.sh portable

lint: build
	@scripts/lint.sh

format:
	@git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format -i
	@$(PYTHON) -m ruff format plots tests scripts

clean:
	rm -rf build build-* report
