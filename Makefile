# Everything a fresh clone needs is Go and make; `make help` lists the targets.

BINARY      := bin/kubectl-operator_maturity
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
PACKAGES    := ./...

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build the plugin into bin/
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o $(BINARY) ./cmd/kubectl-operator_maturity

# Where a release is published; the manifest for krew points there.
DIST_URL := https://releases.example.com/operator-maturity

.PHONY: dist
dist: ## Build the release into dist/: archives, SHA256SUMS, the manifest for krew (DIST_URL says where they will be)
	go run ./hack/dist -url $(DIST_URL) dist

.PHONY: demo
demo: build ## Build, and show a full report with no cluster
	@$(BINARY) scan --demo -o table -o markdown=bin/audit.md -o html=bin/report.html

.PHONY: test
test: controlplane widgetoperator kubectl krew ## Run every test; builds the test control plane and the Widget operator first
	go test -timeout 30m $(PACKAGES)

.PHONY: race
race: controlplane widgetoperator krew ## Run the tests under the race detector, less the end-to-end ones and those that only read large input
	go test -race -short -timeout 40m $$(go list $(PACKAGES) | grep -v /test/endtoend)

.PHONY: lint
lint: ## gofmt, go vet, staticcheck, and go.mod as go mod tidy leaves it
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "gofmt would change:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	go vet $(PACKAGES)
	go run $(STATICCHECK) $(PACKAGES)
	go mod tidy -diff
	cd test/controlplane && go mod tidy -diff
	cd test/kubectl && go vet . && go mod tidy -diff
	cd test/widgetoperator && go vet . && go mod tidy -diff

.PHONY: golden
golden: ## Write the golden files again; read the diff before you commit it
	go test ./internal/report/ -update
	UPDATE_GOLDEN=1 go test ./cmd/... ./test/endtoend/ ./test/faults/ -run "README|Golden|Calibration|CriteriaDoc|ShareOfBundles|NoFault|EveryFault"
	UPDATE_GOLDEN=1 go test ./test/promises/ -run ReliabilityDoc

.PHONY: demo-snapshot
demo-snapshot: controlplane ## Record the snapshot behind --demo from the test control plane
	go run ./test/demo/record

BENCH_SIZES  := small,medium,large
BENCH_RUNS   := 3
BENCH_SERVER := fake

.PHONY: bench
bench: build kubectl $(if $(findstring real,$(BENCH_SERVER)),controlplane) ## Measure a scan of generated clusters beside bare clients and kubectl get; BENCH_SIZES=small,medium,large BENCH_SERVER=fake,real BENCH_RUNS=3 BENCH_FLAGS=-pin
	go build -o bin/bench ./test/bench
	bin/bench -plugin $(BINARY) -kubectl $(KUBECTL) -sizes $(BENCH_SIZES) -server $(BENCH_SERVER) -runs $(BENCH_RUNS) $(BENCH_FLAGS)

BENCH_DUMPS := json-list:1000,yaml:200

.PHONY: bench-files
bench-files: build ## Measure reading dumps beside sigs.k8s.io/yaml; BENCH_DUMPS=form:MB,… of json-list, ndjson, json-gz, yaml, yaml-list, files; BENCH_RUNS=3
	go build -o bin/bench ./test/bench
	bin/bench files -plugin $(BINARY) -dumps $(BENCH_DUMPS) -runs $(BENCH_RUNS)

.PHONY: microbench
microbench: ## Run the benchmarks of single functions
	go test -run '^$$' -bench . -benchmem ./internal/...

FUZZTIME := 10m

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (10m), one after the other
	@for target in $$(grep -rho --include='*_test.go' '^func Fuzz[A-Za-z]*' . | sort -u | cut -d' ' -f2); do \
		for dir in $$(grep -rl --include='*_test.go' "^func $$target(" . | xargs -n1 dirname | sort -u); do \
			echo "$$dir $$target"; go test $$dir -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x || exit 1; \
		done; \
	done

.PHONY: claims
claims: ## Print the levels that OLM packages claim beside what their bundles indicate (needs the corpus)
	go test ./test/endtoend/ -count=1 -v -run TestClaimsAgainstIndicatedLevels

.PHONY: docs
docs: build ## Write docs/criteria.md, docs/output.md, docs/schema/ and deploy/clusterrole.yaml again from rules, types and tables
	go run ./hack/schema
	$(BINARY) rules list -o markdown=docs/criteria.md
	$(BINARY) rbac > deploy/clusterrole.yaml

# A profile of its own each time: a running browser would take the request over otherwise.
.PHONY: picture
picture: demo ## Take the picture of the HTML report in the README again (needs chromium)
	profile=$$(mktemp -d) && chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --hide-scrollbars --user-data-dir=$$profile --window-size=1400,1800 \
		--screenshot=$(CURDIR)/docs/report.png file://$(CURDIR)/bin/report.html; rm -rf $$profile

.PHONY: clean
clean: ## Remove what was built in the checkout
	rm -rf bin dist

# The control plane the tests run against is built once for a version of its sources and kept outside the checkout.
CONTROLPLANE_DIR     := test/controlplane
CONTROLPLANE_VERSION := $(shell awk '$$1 == "k8s.io/kubernetes" && NF == 2 { print $$2; exit }' $(CONTROLPLANE_DIR)/go.mod)
CONTROLPLANE_HASH    := $(shell cat $(CONTROLPLANE_DIR)/*.go $(CONTROLPLANE_DIR)/go.mod $(CONTROLPLANE_DIR)/go.sum | cksum | cut -d' ' -f1)
CONTROLPLANE         := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/kubectl-operator-maturity/controlplane-$(CONTROLPLANE_VERSION)-$(CONTROLPLANE_HASH)/controlplane

# The version the server reports and takes its defaults from; its own build sets it the same way.
CONTROLPLANE_VERSION_PARTS := $(subst ., ,$(CONTROLPLANE_VERSION:v%=%))
CONTROLPLANE_LDFLAGS := -s -w \
	-X k8s.io/component-base/version.gitVersion=$(CONTROLPLANE_VERSION) \
	-X k8s.io/component-base/version.gitMajor=$(word 1,$(CONTROLPLANE_VERSION_PARTS)) \
	-X k8s.io/component-base/version.gitMinor=$(word 2,$(CONTROLPLANE_VERSION_PARTS))

export OPERATOR_MATURITY_CONTROLPLANE := $(CONTROLPLANE)

.PHONY: controlplane
controlplane: $(CONTROLPLANE) ## Build etcd, kube-apiserver and kube-controller-manager for the tests (ten CPU minutes, once)
	@echo $(CONTROLPLANE)

# Moved into place when it is whole, so that an interrupted build leaves nothing that looks built.
$(CONTROLPLANE):
	@mkdir -p $(@D)
	cd $(CONTROLPLANE_DIR) && CGO_ENABLED=0 go build -ldflags "$(CONTROLPLANE_LDFLAGS)" -o $@.$$$$ . && mv $@.$$$$ $@

# kubectl, for the benchmarks and for tests that run the plugin as users do. Its modules are numbered v0 where its releases are v1.
KUBECTL_DIR     := test/kubectl
KUBECTL_VERSION := $(shell awk '$$1 == "k8s.io/kubectl" && NF == 2 { print $$2; exit }' $(KUBECTL_DIR)/go.mod)
KUBECTL_HASH    := $(shell cat $(KUBECTL_DIR)/*.go $(KUBECTL_DIR)/go.mod $(KUBECTL_DIR)/go.sum | cksum | cut -d' ' -f1)
KUBECTL         := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/kubectl-operator-maturity/kubectl-$(KUBECTL_VERSION)-$(KUBECTL_HASH)/kubectl
KUBECTL_LDFLAGS := -s -w -X k8s.io/component-base/version.gitVersion=$(KUBECTL_VERSION:v0.%=v1.%)

export OPERATOR_MATURITY_KUBECTL := $(KUBECTL)

.PHONY: kubectl
kubectl: $(KUBECTL) ## Build kubectl for the benchmarks and tests (two CPU minutes, once)
	@echo $(KUBECTL)

$(KUBECTL):
	@mkdir -p $(@D)
	cd $(KUBECTL_DIR) && CGO_ENABLED=0 go build -ldflags "$(KUBECTL_LDFLAGS)" -o $@.$$$$ . && mv $@.$$$$ $@

# The operator that the tests scan before, while and after it runs. It names its field manager after the file.
WIDGET_DIR  := test/widgetoperator
WIDGET_HASH := $(shell cat $(WIDGET_DIR)/*.go $(WIDGET_DIR)/go.mod $(WIDGET_DIR)/go.sum | cksum | cut -d' ' -f1)
WIDGET      := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/kubectl-operator-maturity/widgetoperator-$(WIDGET_HASH)/widget-operator

export OPERATOR_MATURITY_WIDGET := $(WIDGET)

.PHONY: widgetoperator
widgetoperator: $(WIDGET) ## Build the Widget operator for the tests
	@echo $(WIDGET)

$(WIDGET):
	@mkdir -p $(@D)
	cd $(WIDGET_DIR) && CGO_ENABLED=0 go build -ldflags "-s -w" -o $@.$$$$ . && mv $@.$$$$ $@

# krew and the validator of its index, which judge the manifest in the tests.
KREW_VERSION := v0.4.3
KREW         := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/kubectl-operator-maturity/krew-$(KREW_VERSION)

export OPERATOR_MATURITY_KREW := $(KREW)

.PHONY: krew
krew: $(KREW)/krew ## Build krew and its validator for the tests
	@echo $(KREW)

$(KREW)/krew:
	@mkdir -p $(@D)
	GOBIN=$(@D) go install sigs.k8s.io/krew/cmd/validate-krew-manifest@$(KREW_VERSION)
	GOBIN=$(@D) go install sigs.k8s.io/krew/cmd/krew@$(KREW_VERSION)

.PHONY: cluster
cluster: controlplane ## Run a control plane with the demo's operators until Ctrl-C; ARGS='-apply PATH' puts your objects on an empty one
	go run ./test/testcluster/start $(or $(ARGS),-demo)
