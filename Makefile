# The commands of the project. `make run` and `make test` set up what they need; nothing but Python 3.11+ and Node 20+ has to be there.
SHELL := bash
.DEFAULT_GOAL := help
.PHONY: help setup run test test-deep bench packages sbom advisories fix lock clean
export PYTHON

help: ## show this list
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 22

setup: ## make .venv, install what the lock files name, build the dashboard
	@scripts/setup

run: setup ## serve the product with a demo project (LIVERY_PORT=8000)
	@exec .venv/bin/livery serve --demo

test: setup ## run every check and test
	@scripts/test

test-deep: setup ## run the long tests: every seed, kill and walk, full sizes, other times (about an hour)
	@scripts/test --deep

bench: setup ## measure publishing, publish to client, and delivery beside nginx (needs wrk and nginx)
	@.venv/bin/python -m bench.publish
	@.venv/bin/python -m bench.publish_to_client
	@.venv/bin/python -m bench.delivery

packages: setup ## build the wheel and the npm packages into dist/packages, and serve from the wheel
	@scripts/build-packages

sbom: setup ## write the software bill of materials to dist/livery.cdx.json
	@mkdir -p dist
	@.venv/bin/python scripts/sbom.py dist/livery.cdx.json

advisories: setup ## compare all packages with downloaded advisories of OSV (OSV=FOLDER)
	@.venv/bin/python scripts/sbom.py --advisories "$(OSV)"

fix: setup ## format, and mend what the linters can mend
	@.venv/bin/ruff check --fix --quiet .
	@.venv/bin/ruff format --quiet .
	@node_modules/.bin/biome check --write

lock: setup ## resolve requirements/*.in into requirements/*.txt
	@scripts/lock

clean: ## remove what setup made (the data folder stays)
	rm -rf .venv .cache node_modules web/tools/node_modules livery/static
	rm -rf sdks/typescript/*/dist web/dist examples/*/dist
