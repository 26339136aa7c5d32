# make run    the server with example data, and the page
# make test   all tests
# make bench  what it costs, beside what it is compared with
# make screenshots   pictures of the page in .build/screenshots, to be looked at
# make fuzz   the differ against its referee, for SECONDS (60)
# make races  all tests under ThreadSanitizer

SWIFT ?= swift
LIBRARIES := libmicrohttpd-dev libcurl4-openssl-dev libxxhash-dev libsqlite3-dev
# Debian's, which fit each other. Chromium crashes where there is no font at all.
BROWSER := chromium chromium-driver python3-selenium fonts-dejavu-core

SECONDS ?= 60
# Optimised, and still `@testable`: the proofs are ten times as fast.
TEST_FLAGS ?= -Xswiftc -O
# All pairs of small models: some minutes. Anything else leaves the largest out.
export RELIST_PROOF ?= full

.PHONY: run test bench screenshots fuzz races libraries browser node

run: libraries
	$(SWIFT) build -c release --product relist
	.build/release/relist serve

# One after another: side by side, tests that compute leave no thread to those that talk to a server.
test: libraries node browser
	$(SWIFT) test --no-parallel $(TEST_FLAGS)
	node --test Tests/PublicTests
	RELIST=$(built) Tests/BrowserTests/run

bench: libraries browser
	Benchmarks/run

screenshots: libraries browser
	$(SWIFT) build $(TEST_FLAGS) --product relist
	RELIST=$(built) /usr/bin/python3 -B Tests/BrowserTests/screenshots.py .build/screenshots

fuzz:
	Tests/Fuzzing/run $(SECONDS)

races: libraries
	Tests/Races/run

libraries:
	@dpkg -s $(LIBRARIES) >/dev/null 2>&1 || $(call install,$(LIBRARIES))

browser:
	@dpkg -s $(BROWSER) >/dev/null 2>&1 || $(call install,$(BROWSER))

node:
	@command -v node >/dev/null || $(call install,nodejs)

# The program that was built for the tests.
built = $$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)/relist

# Debian's packages, as root or with sudo.
install = (sudo=; [ $$(id -u) = 0 ] || sudo=sudo; $$sudo apt-get update -qq && \
	DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $(1))
