# Python 3.11 or newer and make; everything else is installed into .venv by the rules below.
PYTHON ?= $(firstword $(shell command -v python3.11 python3.12 python3.13 python3))
BIN := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help openapi setup setup-dev demo up check check-types check-words test evidence bench requirements

help: ## what each rule does
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/ready: requirements.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.txt
	@touch $@

.venv/ready-dev: requirements-dev.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-dev.txt
	@touch .venv/ready $@

setup: .venv/ready ## create the environment and install what the product needs
setup-dev: .venv/ready-dev ## the same, with what tests and checks need

demo: setup ## load our claims corpus and serve it, with a login for each role
	$(BIN)/python manage.py up --demo $(UP_ARGS)

up: setup ## serve: broker, web, worker and scheduler, stopped together
	$(BIN)/python manage.py up $(UP_ARGS)

test: setup-dev ## every test, on the database of DATABASE_URL (SQLite without it)
	$(BIN)/pytest $(PYTEST_ARGS)

check: check-types check-words ## what the continuous integration checks besides the tests, side by side with -j2
check-types: setup-dev
	$(BIN)/mypy
check-words: setup-dev  # makemigrations runs the system checks as well
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/python manage.py makemigrations --check --dry-run

evidence: setup-dev ## the acceptance figures on the real corpora, written under docs/
	$(BIN)/pytest -q tests/evidence

bench: setup ## speeds as ratios to peers, measured in one run
	$(BIN)/python manage.py bench

openapi: setup-dev ## write docs/openapi.json anew, as the server answers it
	$(BIN)/python manage.py shell -v0 -c "from curation.api.urls import openapi; print(openapi(), end='')" > docs/openapi.json

requirements: setup-dev ## pin every dependency again, with hashes
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --quiet -o requirements.txt
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header --quiet -c requirements.txt -o requirements-dev.txt
