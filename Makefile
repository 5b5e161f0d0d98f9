# Two commands do everything: `make run` and `make test`. On Windows see README.md.
PYTHON ?= python3
REFEREE := .venv/bin/referee
PAPER ?= a4

.PHONY: help run test lint types tests bench print play photos environment environment-dev clean

help:
	@echo "make run     install what is needed, open the page with the samples ready to try"
	@echo "make test    lint, types and all tests, in the same environment"
	@echo "make lint    ruff only"
	@echo "make bench   speed and memory on this machine"
	@echo "make print   all boards, templates, cards, score sheet as out/boards.pdf (PAPER=letter for US paper)"
	@echo "make play    drive every built-in stage 200 times blindfolded, judge half of that (long; goes on where it was)"
	@echo "make photos  photograph six races on every built-in stage and judge them (long; goes on where it was)"

# A browser is opened where there is a screen for it; the address is named in any case.
run: environment
	@$(REFEREE) serve $$([ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$(uname)" = Darwin ] && echo --open)

test: lint types tests

lint: environment-dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: environment-dev
	.venv/bin/mypy

tests: environment-dev
	.venv/bin/pytest -n logical --maxprocesses 4 --dist loadfile

bench: environment
	$(REFEREE) bench

print: environment
	@mkdir -p out
	$(REFEREE) print --all --paper $(PAPER) -o out/boards.pdf

play: environment-dev
	.venv/bin/python -m tests.simulation.playtest

photos: environment-dev
	.venv/bin/python -m tests.simulation.photoplay

environment:
	@$(PYTHON) .ci/environment.py

environment-dev:
	@$(PYTHON) .ci/environment.py --dev

clean:
	rm -rf .venv out build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
