# Every target sets up what it needs; a second run starts at once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := .tools/bin/uv
READY := $(VENV)/.ready
# Compiled modules are kept, whatever the environment says: tests start many processes.
export PYTHONDONTWRITEBYTECODE :=
# As Studium sets it for itself; pytest's plugins load numpy before it can.
export OPENBLAS_NUM_THREADS := 1

UV_VERSION := 0.13.7
COMPILE := pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --quiet
# Run when they are asked for, and no part of the environment.
PIP_AUDIT := pip-audit==2.10.1
CYCLONEDX := cyclonedx-bom==7.5.0

.PHONY: demo test endurance fuzz coverage test-llm lint format bench eval parts docs lock audit sbom clean

demo: $(READY)  ## run the product on the shipped samples and say what it made
	@$(BIN)/studium demo

test: $(READY)  ## every test; those whose real part is missing skip and say how to install it
	$(BIN)/pytest -n 2 --dist loadgroup

endurance: $(READY)  ## the long runs: many kills, 20,000 hostile inputs, megabytes of input
	$(BIN)/pytest -m endurance -n 2 --dist loadgroup

fuzz: $(READY)  ## other hostile inputs than those of `make endurance`, for every format and pattern; FUZZ_SEED=… repeats a run
	FUZZ_SEED=$${FUZZ_SEED:-$$(date +%s)} $(BIN)/pytest -m endurance tests/fuzz tests/test_patterns_are_linear.py -n 2 --dist loadgroup

coverage: $(READY)  ## the same, and how much of the code they run; takes longer
	$(BIN)/pytest -n 2 --dist loadgroup --cov --cov-report=term

test-llm: $(READY)  ## the skills against a real small model, asserted on form
	$(BIN)/pytest -m llm -p no:randomly

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(READY)
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

bench: $(READY)  ## the figures of docs/benchmarks.md
	$(BIN)/python -m bench

eval: $(READY)  ## the figures on labelled material: make eval FOLDER=… [DOCUMENTS=…]
	@test -n "$(FOLDER)" || { echo "Name the material: make eval FOLDER=… [DOCUMENTS=…]" >&2; exit 2; }
	$(BIN)/python -m evaluation all "$(FOLDER)" $(if $(DOCUMENTS),--documents "$(DOCUMENTS)")

parts:  ## install the real parts that the tests can use (root, Debian)
	scripts/parts

docs: $(READY)  ## regenerate the pages that are made from the code
	$(BIN)/python docs/generate.py

lock: $(UV)  ## pin the dependencies, with the hash of every file they have; UPGRADE=1 takes the newest versions
	$(UV) $(COMPILE) pyproject.toml --all-extras --group dev $(if $(UPGRADE),--upgrade) -o requirements.lock
	sed -i.old "/sys_platform == 'never' \\\\$$/,/[^\\]$$/d" requirements.lock && rm requirements.lock.old
	echo "uv==$(UV_VERSION)" | $(UV) $(COMPILE) - -o scripts/uv-requirements.txt

audit: $(UV)  ## look the pinned versions up among the known vulnerabilities; says so where it cannot
	$(PYTHON) scripts/audit.py $(UV) tool run $(PIP_AUDIT) --requirement requirements.lock --disable-pip

# Without the tools of development, which nobody installs with Studium.
sbom: SBOM := .artifacts/sbom
sbom: $(UV)  ## list the packages of Studium with every extra, as CycloneDX: .artifacts/studium.cdx.json
	mkdir -p $(SBOM)
	$(UV) venv --quiet --clear --python $(PYTHON) $(SBOM)/venv
	$(UV) pip install --quiet --constraints requirements.lock --build-constraints requirements.lock \
	  --requirement pyproject.toml --all-extras --python $(SBOM)/venv/bin/python
	sed "s/^dynamic = .*/version = \"$$(sed -n 's/^__version__ = "\(.*\)"/\1/p' src/studium/__init__.py)\"/" \
	  pyproject.toml > $(SBOM)/pyproject.toml
	$(UV) tool run --quiet --from $(CYCLONEDX) cyclonedx-py environment --pyproject $(SBOM)/pyproject.toml \
	  --output-reproducible --output-file .artifacts/studium.cdx.json $(SBOM)/venv/bin/python
	rm -r $(SBOM)

$(UV):
	$(PYTHON) -m venv .tools
	.tools/bin/python -m pip install --quiet --require-hashes --requirement scripts/uv-requirements.txt

$(READY): pyproject.toml requirements.lock | $(UV)
	test -x $(BIN)/python || $(UV) venv --quiet --python $(PYTHON) $(VENV)
	$(UV) pip sync --quiet --require-hashes --build-constraints requirements.lock --compile-bytecode \
	  --python $(BIN)/python requirements.lock
	$(UV) pip install --quiet --build-constraints requirements.lock --no-deps --python $(BIN)/python --editable .
	touch $(READY)

clean:
	rm -rf $(VENV) .tools .demo .artifacts .evaluation
