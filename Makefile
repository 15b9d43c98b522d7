# Relata. `make demo` shows it at work, `make test` tests it; both set up what
# they need. `make help` lists the rest.

# Vector instructions for the local embedder; other machines than amd64 and
# builds without it get a slower path with the same results.
export GOEXPERIMENT ?= simd

GO ?= go
BIN := bin/relata
VERSION := $(shell git describe --always --dirty 2>/dev/null || echo dev)
PACKAGES := ./...

.PHONY: help demo serve test check build generate format lint tidy fuzz fuzzapi clean go

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: build ## play the sample world; STAY=1 goes on serving
	$(BIN) demo

serve: build ## serve the API as the environment configures it
	$(BIN) serve

build: go
	@$(GO) build -trimpath -ldflags "-X main.version=$(VERSION)" -o $(BIN) ./cmd/relata

test: go ## run all tests, with the race detector, on a real Neo4j
	$(GO) test -race -timeout 20m $(PACKAGES); status=$$?; $(GO) run ./internal/localdb/dbtest/stop; exit $$status

check: tidy generate format lint test fuzzapi ## what CI runs: everything, and nothing may differ afterwards

tidy:
	@$(GO) mod tidy -diff || { echo "go.mod is not tidy: run go mod tidy"; exit 1; }

generate:
	@$(GO) generate $(PACKAGES)
	@git diff --exit-code --stat -- '*.gen.go' || { echo "generated code differs from its source: commit what make generate made"; exit 1; }

format:
	@files=$$($(GO) tool gofumpt -l $$(git ls-files '*.go' ':!*.gen.go')); \
	if [ -n "$$files" ]; then echo "not formatted (go tool gofumpt -w):"; echo "$$files"; exit 1; fi

lint:
	$(GO) vet $(PACKAGES)
	$(GO) tool staticcheck $(PACKAGES)

fuzz: go ## fuzz each parser for a while: make fuzz TIME=1m
	@for p in $$($(GO) list $(PACKAGES)); do \
	  for f in $$($(GO) test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    $(GO) test -run '^$$' -fuzz "^$$f\$$" -fuzztime $${TIME:-30s} $$p || exit 1; \
	  done; done

fuzzapi: build ## fuzz the served API by its own document: make fuzzapi FUZZ_SECONDS=300
	api/fuzz.sh $${FUZZ_SECONDS:-20}

clean: ## remove what was built
	rm -rf bin

go:
	@command -v $(GO) >/dev/null || { echo "Go 1.26 or newer is needed: https://go.dev/doc/install"; exit 1; }
