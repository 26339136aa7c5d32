# make run    the server with example data, and the page
# make test   all tests
# make bench  what it costs, beside what it is compared with
# make fuzz   the differ against its referee, for SECONDS (60)
# make races  all tests under ThreadSanitizer

SWIFT ?= swift
LIBRARIES := libmicrohttpd-dev libcurl4-openssl-dev libxxhash-dev libsqlite3-dev

SECONDS ?= 60
# Optimised, and still `@testable`: the proofs are ten times as fast.
TEST_FLAGS ?= -Xswiftc -O
# All pairs of small models: some minutes. Anything else leaves the largest out.
export RELIST_PROOF ?= full

.PHONY: run test bench fuzz races libraries node

run: libraries
	$(SWIFT) build -c release --product relist
	.build/release/relist serve

# One after another: side by side, tests that compute leave no thread to those that talk to a server.
test: libraries node
	$(SWIFT) test --no-parallel $(TEST_FLAGS)
	node --test Tests/PublicTests

bench: libraries
	Benchmarks/run

fuzz:
	Tests/Fuzzing/run $(SECONDS)

races: libraries
	Tests/Races/run

libraries:
	@dpkg -s $(LIBRARIES) >/dev/null 2>&1 || $(call install,$(LIBRARIES))

node:
	@command -v node >/dev/null || $(call install,nodejs)

# Debian's packages, as root or with sudo.
install = (sudo=; [ $$(id -u) = 0 ] || sudo=sudo; $$sudo apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $(1))
