# make run          the server with example data, and the page
# make users        the same with users who sign in by tokens; their cryptography takes minutes to build
# make cluster      two replicas on PostgreSQL behind nginx, on PORT (8080), until Ctrl-C
# make check        lint, and the tests of each target
# make test         all tests but those of proofs, fuzz, races, soak, faults, image, deploying and phones
# make lint         format and prose
# make hooks        a hook that checks the subject of each commit
# make bench        measures costs beside the peers
# make screenshots  pictures of the page in .build/screenshots
# make docs         documentation of the API in .build/Relist.doccarchive
# make proofs       the differ on all pairs of small models, and a million states of the client
# make fuzz         the differ against its referee, and each reader of foreign bytes, for SECONDS (60) each
# make races        all tests in Swift under ThreadSanitizer and AddressSanitizer
# make soak         size and responses of a server under load, for SECONDS (600)
# make faults       kills, failing system calls, damaged databases, PostgreSQL that fails, a hostile client; SEED repeats a run
# make image        the steps of the Dockerfile without Docker, and the program in the result
# make deploying    a deploy of a newer version, backups and their restoration, under load
# make phones       two apps and a server that fail at random, for SECONDS (600)

# The compiler: a path, which may contain spaces, or a command with arguments.
SWIFT ?= swift
swift = $(if $(shell command -v "$(SWIFT)"),"$(SWIFT)",$(SWIFT))
LIBRARIES := libmicrohttpd-dev libcurl4-openssl-dev libxxhash-dev libzstd-dev libbrotli-dev zlib1g-dev libsqlite3-dev libpq-dev
# Debian's versions fit each other. Chromium crashes without any font.
BROWSER := chromium chromium-driver python3-selenium fonts-dejavu-core

# Only the code that the proofs of the differ and of the client run is optimised: optimising all would double the time of compiling.
export RELIST_OPTIMISED = differ

.PHONY: run users cluster check test lint hooks proofs proof-tests server-tests browser-tests package-tests other-tests docs bench screenshots fuzz races soak faults image deploying phones libraries postgres sqlite nginx haproxy caddy systemd debootstrap browser curl node typescript npm python environments

run: libraries
	$(swift) build -c release --product relist
	.build/release/relist serve

users: libraries
	$(swift) build -c release $(tokens) --product relist
	.build/release/relist serve --authentication development

cluster: libraries postgres nginx
	$(swift) build -c release --product relist
	Tests/System/Cluster/cluster

check: libraries postgres node typescript npm lint
	$(swift) test $(tokens) --no-parallel
	$(page-tests)

test: libraries postgres sqlite nginx haproxy caddy systemd curl node typescript npm browser lint
	$(swift) build $(tokens) --build-tests
	$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target proof-tests server-tests browser-tests package-tests other-tests

# The tests of what needs no server.
proven := ^Screen(Model|Diff|Wire|Testing|Client)Tests
proof-tests:
	$(tests) --filter '$(proven)'
	$(page-tests)

server-tests:
	$(tests) --skip '$(proven)'

browser-tests:
	RELIST=$(built) Tests/System/Browser/run

# A release build, the packages of teams, the messages of the compiler, and what the documents say.
# A release compiles all files of a module at once, which finds a missing import that a debug build does not. Optimising takes minutes.
package-tests:
	$(swift) build -c release -Xswiftc -Onone --product relist --scratch-path .build/whole-modules
	SWIFT="$(SWIFT)" Benchmarks/check
	SWIFT="$(SWIFT)" Tests/System/Mistakes/run
	SWIFT="$(SWIFT)" RELIST=$(built) Tests/System/Examples/run
	SWIFT="$(SWIFT)" RELIST=$(built) Tests/System/Documentation/run
	SWIFT="$(SWIFT)" Tests/System/Documentation/api .build/Relist.doccarchive

# The tests of several processes.
other-tests:
	RELIST=$(built) Tests/System/Service/run
	RELIST=$(built) Tests/System/Proxy/run
	RELIST=$(built) Tests/System/Replicas/run
	RELIST=$(built) Tests/System/Cluster/run
	RELIST=$(built) Tests/System/Faults/run
	RELIST=$(built) Tests/System/OpenAPI/run
	RELIST=$(built) Tests/System/Tokens/run

lint: environments
	SWIFT="$(SWIFT)" Tests/Lint/run

hooks:
	install Tests/Lint/commit-msg "$$(git rev-parse --git-path hooks)/commit-msg"

docs: libraries
	$(swift) build
	SWIFT="$(SWIFT)" Tests/System/Documentation/api .build/Relist.doccarchive

bench: libraries postgres browser
	Benchmarks/run

screenshots: libraries browser
	$(swift) build $(tokens) --product relist
	RELIST=$(built) PYTHONPATH=Tests/Support/Python /usr/bin/python3 -B Tests/System/Browser/screenshots.py .build/screenshots

# All pairs of small models, and a million states of the client. `make test` has fewer of both.
proofs: export RELIST_PROOF = full
proofs: libraries
	$(swift) build $(tokens) --build-tests
	$(tests) --filter 'ExhaustiveTests|ProvingTests|ExplorationTests'

fuzz:
	Tests/OnDemand/Fuzzing/run $(or $(SECONDS),60)

races: libraries postgres
	Tests/OnDemand/Races/run

soak: libraries python
	SECONDS=$(or $(SECONDS),600) Tests/OnDemand/Soak/run

faults: libraries postgres python
	SWIFT="$(SWIFT)" $(if $(SEED),RELIST_SEED=$(SEED)) Tests/OnDemand/Faults/run

image: libraries debootstrap
	SWIFT="$(SWIFT)" Tests/OnDemand/Image/run

deploying: libraries postgres sqlite nginx haproxy
	SWIFT="$(SWIFT)" Tests/OnDemand/Deploying/run

phones: libraries
	SWIFT="$(SWIFT)" Tests/OnDemand/Phones/run $(or $(SECONDS),600)

libraries:
	@dpkg -s $(LIBRARIES) >/dev/null 2>&1 || $(call install,$(LIBRARIES))

# The server's programs: tests start servers on folders of their own.
postgres:
	@ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || $(call install,postgresql-15)

# The program that takes backups.
sqlite:
	@command -v sqlite3 >/dev/null || $(call install,sqlite3)

nginx:
	@PATH=$$PATH:/usr/sbin; command -v nginx >/dev/null || $(call install,nginx-light)

haproxy:
	@PATH=$$PATH:/usr/sbin; command -v haproxy >/dev/null || $(call install,haproxy)

caddy:
	@command -v caddy >/dev/null || $(call install,caddy)

debootstrap:
	@PATH=$$PATH:/usr/sbin; command -v debootstrap >/dev/null || $(call install,debootstrap)

# A program of it checks the units in Deploy.
systemd:
	@command -v systemd-analyze >/dev/null || $(call install,systemd)

browser:
	@dpkg -s $(BROWSER) >/dev/null 2>&1 || $(call install,$(BROWSER))

curl:
	@command -v curl >/dev/null || $(call install,curl ca-certificates)

node:
	@command -v node >/dev/null || $(call install,nodejs)

# It checks the types in comments.
typescript: node
	@command -v tsc >/dev/null || $(call install,node-typescript)

# It packs the JavaScript library.
npm: node
	@command -v npm >/dev/null || $(call install,npm)

python:
	@command -v python3 >/dev/null || $(call install,python3)

# Debian has virtual environments in a package of its own.
environments: python
	@python3 -c 'import ensurepip' 2>/dev/null || $(call install,python3-venv)

# The tests in Swift that the build has made. They run one after another, because tests that compute would leave no thread to those that
# talk to a server. `swift test` would lock the build for the tests that run at the same time.
tests = "$$($(swift) build --show-bin-path)/relistPackageTests.xctest" --testing-library swift-testing --no-parallel

# The tests of the page, and of the code for Apple's systems.
define page-tests
	node --test Tests/PublicTests/*.test.mjs
	tsc -p Tests/PublicTests/tsconfig.json
	python3 -B -m unittest discover -q -s Tests/AppleTests -p '*_test.py'
endef

# The program verifies tokens.
tokens = --traits Tokens

# The program that was built for the tests.
built = "$$($(swift) build --show-bin-path)/relist"

# Debian's packages, as root or with sudo. At this run level it does not start a service that it installs.
install = (sudo=; [ $$(id -u) = 0 ] || sudo=sudo; $$sudo apt-get update -qq && \
	$$sudo env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1))
