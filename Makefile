# Two commands do everything: `make run` and `make test`. On Windows see README.md.
PYTHON ?= python3
REFEREE := .venv/bin/referee
PAPER ?= a4

.PHONY: help run test lint types tests bench print play environment environment-dev clean

help:
	@echo "make run     install what is needed, judge the samples, name the result page"
	@echo "make test    lint, types and all tests, in the same environment"
	@echo "make lint    ruff only"
	@echo "make bench   speed and memory on this machine"
	@echo "make print   all boards, templates, cards, score sheet as out/boards.pdf (PAPER=letter for US paper)"
	@echo "make play    drive every built-in stage 100 times blindfolded and judge what was drawn (long)"

# An unreadable picture is one of the samples, so status 3 is as expected.
run: environment
	@$(REFEREE) judge samples/*.jpg --out out || test $$? -eq 3
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] && command -v xdg-open >/dev/null; then xdg-open out/index.html; \
	elif [ "$$(uname)" = Darwin ]; then open out/index.html; fi

test: lint types tests

lint: environment-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: environment-dev
	.venv/bin/mypy

tests: environment-dev
	.venv/bin/pytest

bench: environment
	$(REFEREE) bench

print: environment
	@mkdir -p out
	$(REFEREE) print --all --paper $(PAPER) -o out/boards.pdf

play: environment-dev
	.venv/bin/python -m tests.simulation.playtest --count 100

environment:
	@$(PYTHON) .ci/environment.py

environment-dev:
	@$(PYTHON) .ci/environment.py --dev

clean:
	rm -rf .venv out build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
