# make run    the server with example data, and the page
# make users  the same with a few users who sign in by tokens, whose cryptography takes minutes to build
# make cluster  two replicas on PostgreSQL with nginx in front, on PORT (8080), until Ctrl-C; it installs both
# make check  after each edit: all tests that need no other program built, without the largest proofs
# make test   all tests, but for those of fuzz, races, soak and faults
# make bench  what it costs, beside what it is compared with
# make screenshots   pictures of the page in .build/screenshots, to be looked at
# make fuzz   the differ against its referee, for SECONDS (60)
# make races  all tests in Swift under ThreadSanitizer
# make docs   documentation of the API in .build/Relist.doccarchive
# make soak   whether the server stays as large and as right as it was, under load for SECONDS (600)
# make faults what is promised when things break: kills, stops, a lost database, few descriptors

# The compiler: a path, which may have spaces, or a command with arguments.
SWIFT ?= swift
swift = $(if $(shell command -v "$(SWIFT)"),"$(SWIFT)",$(SWIFT))
LIBRARIES := libmicrohttpd-dev libcurl4-openssl-dev libxxhash-dev libsqlite3-dev libpq-dev
# Debian's, which fit each other. Chromium crashes where there is no font at all.
BROWSER := chromium chromium-driver python3-selenium fonts-dejavu-core

# What the proofs of the differ run is optimised, and nothing else: compiling would take twice as long.
export RELIST_OPTIMISED = differ
# All pairs of small models; anything else leaves the largest out.
test: export RELIST_PROOF ?= full
check: export RELIST_PROOF = small

.PHONY: run users cluster check test docs bench screenshots fuzz races soak faults libraries postgres nginx browser curl node typescript python environments

run: libraries
	$(swift) build -c release --product relist
	.build/release/relist serve

users: libraries
	$(swift) build -c release $(tokens) --product relist
	.build/release/relist serve --authentication development

cluster: libraries postgres nginx
	$(swift) build -c release --product relist
	Tests/System/Cluster/cluster

check: libraries postgres node typescript python
	$(run-tests)

test: libraries postgres nginx curl node typescript python environments browser
	$(run-tests)
	SWIFT="$(SWIFT)" Benchmarks/check
	SWIFT="$(SWIFT)" RELIST=$(built) Tests/System/Examples/run
	SWIFT="$(SWIFT)" RELIST=$(built) Tests/System/Documentation/run
	SWIFT="$(SWIFT)" Tests/System/Documentation/api .build/Relist.doccarchive
	RELIST=$(built) Tests/System/Proxy/run
	RELIST=$(built) Tests/System/Replicas/run
	RELIST=$(built) Tests/System/Cluster/run
	RELIST=$(built) Tests/System/OpenAPI/run
	RELIST=$(built) Tests/System/Tokens/run
	RELIST=$(built) Tests/System/Browser/run

docs: libraries
	$(swift) build
	SWIFT="$(SWIFT)" Tests/System/Documentation/api .build/Relist.doccarchive

bench: libraries postgres browser
	Benchmarks/run

screenshots: libraries browser
	$(swift) build $(tokens) --product relist
	RELIST=$(built) PYTHONPATH=Tests/Support/Python /usr/bin/python3 -B Tests/System/Browser/screenshots.py .build/screenshots

fuzz:
	Tests/OnDemand/Fuzzing/run $(or $(SECONDS),60)

races: libraries postgres
	Tests/OnDemand/Races/run

soak: libraries python
	SECONDS=$(or $(SECONDS),600) Tests/OnDemand/Soak/run

faults: libraries python
	Tests/OnDemand/Faults/run

libraries:
	@dpkg -s $(LIBRARIES) >/dev/null 2>&1 || $(call install,$(LIBRARIES))

# Its server: tests start theirs on folders of their own.
postgres:
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || $(call install,postgresql-15)

nginx:
	@PATH=$$PATH:/usr/sbin; command -v nginx >/dev/null || $(call install,nginx-light)

browser:
	@dpkg -s $(BROWSER) >/dev/null 2>&1 || $(call install,$(BROWSER))

curl:
	@command -v curl >/dev/null || $(call install,curl ca-certificates)

node:
	@command -v node >/dev/null || $(call install,nodejs)

# It reads the types that comments say.
typescript: node
	@command -v tsc >/dev/null || $(call install,node-typescript)

python:
	@command -v python3 >/dev/null || $(call install,python3)

# Debian has what makes virtual environments in a package of its own.
environments: python
	@python3 -c 'import ensurepip' 2>/dev/null || $(call install,python3-venv)

# One after another: side by side, tests that compute leave no thread to those that talk to a server.
define run-tests
	$(swift) test $(tokens) --no-parallel
	node --test Tests/PublicTests/*.test.mjs
	tsc -p Tests/PublicTests/tsconfig.json
	python3 -B -m unittest discover -q -s Tests/AppleTests -p '*_test.py'
endef

# So that the program takes tokens.
tokens = --traits Tokens

# The program that was built for the tests.
built = "$$($(swift) build --show-bin-path)/relist"

# Debian's packages, as root or with sudo. At this run level it does not start a service that it installs.
install = (sudo=; [ $$(id -u) = 0 ] || sudo=sudo; $$sudo apt-get update -qq && \
	$$sudo env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1))
