# What one does here, in short. Nothing but Go is needed for the first seven.

help: ## list what there is
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 18

build: static ## the command, into this folder
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o npy ./cmd/npy

install: static ## the command, into Go's folder of programs
	CGO_ENABLED=0 go install -trimpath -ldflags '-s -w' ./cmd/npy

test: ## every test of every module
	go test work

quick: ## what a change most likely breaks, in about a minute: without NumPy and what takes long
	go test -short work

race: ## every test under the race detector, which takes a quarter of an hour
	GORACE=atexit_sleep_ms=50 go test -race -timeout 60m work

purego: ## every test of the packages without unsafe
	go test -tags purego ./... ./cmd/npy/... ./bench/...

bigendian: ## every short test on a machine of the other byte order, which takes half an hour
	GOARCH=s390x go test -short -timeout 60m -exec qemu-s390x-static ./...

arm64: ## every short test on an emulated machine without amd64's assembly
	GOARCH=arm64 go test -tags emulated -short -timeout 60m -exec qemu-aarch64-static ./...

windows: ## every short test as a program of Windows, under Wine
	GOOS=windows go vet ./... ./cmd/npy/...
	.ci/windows -short -timeout 60m ./... ./cmd/npy/...

bench: ## npy beside NumPy and other packages
	go run ./bench

beam: ## connect/beam, which is no part of the workspace, and whether it compiles for Windows
	cd connect/beam && GOWORK=off go vet ./... && GOWORK=off GOOS=windows go vet ./... && GOWORK=off go test ./...

beambench: ## npy-beam beside npy, dask and cp
	cd connect/beam && GOWORK=off go run ./bench -rounds 5

check: ## all that has to hold before a change lands
	.ci/run

nightly: ## all that check leaves out or samples, for a night, with one page of results (make nightly STEPS='windows fuzz' for some)
	.ci/nightly $(STEPS)

live: ## random cases beside each NumPy, NPY_CASES times as many as in a test, printed into doc/reliability.md
	.ci/live

CASES = 100
mutate: ## every kind of damage to HDF5 files of every level, CASES times as many as in a test (make mutate CASES=1000)
	NPY_CASES=$(CASES) go test ./hdf5 -run 'Mutations|Truncations' -timeout 0 -v

hostile: ## every hostile name in every shell that completes it, every run with every hostile file, also on a terminal: half an hour
	NPY_HOSTILE=all go test ./cmd/npy -run 'CompletionOfHostileNames|HostileTerminal|HostileText' -count 1 -timeout 0 -v

faults: ## each call of the kernel that reads or changes a file fails, or ends the process, for every function, of which a test tries a part
	NPY_CASES=1 go test ./internal/faults -count 1 -timeout 0 -v

flips: ## every bit of compressed files changed, one at a time, in six minutes, printed into doc/reliability.md
	.ci/flips

losses: ## files with random features from every format to every other: what is neither kept nor told, printed into doc/reliability.md
	NPY_CASES=$(CASES) go test ./container -run Losses -count 1 -timeout 0 -v -args -report ../doc/reliability.md

appends: ## rows added to arrays of HDF5 files with every shape of chunks, limit and index, all of which a test tries a part
	NPY_CASES=40 go test ./hdf5 -run AppendLimits -count 1 -v

times: ## dates and times of day, and operators of times, in every unit beside NumPy
	NPY_CASES=39 go test ./scalar -run DateBoundaries -count 1 -v
	NPY_CASES=96 go test ./query -run TimeArithmetic -count 1 -timeout 0 -v

computed: ## a hundred thousand random expressions of computed columns, and as many of whole arrays, beside NumPy
	NPY_CASES=84 go test ./query -run ComputeLive -count 1 -timeout 0 -v
	NPY_CASES=67 go test ./query -run CalcLive -count 1 -timeout 0 -v

moments: ## sums, means and deviations of every magnitude, divided, merged, along an axis and of groups, beside exact arithmetic
	NPY_CASES=200 go test ./internal/moments -run EveryMagnitude -count 1 -timeout 0 -v
	NPY_CASES=41 go test ./stats -run MagnitudesAgree -count 1 -v

SHARE = 1
bounds: ## time and memory of every subcommand with every kind of input, or a share of the pairs (make bounds SHARE=0.05), of which a test tries a sample
	NPY_CASES=1 go test ./cmd/npy -run 'InProportion|Fills' -count 1 -timeout 0 -v -bounds.share $(SHARE)

kill: ## writers of one file killed at random times, of each kind of store that is installed: CASES times as often as in a test
	NPY_CASES=$(CASES) go test ./remote -run KilledWriters -count 1 -timeout 0 -v

servers: ## servers that stop, drip, lead elsewhere and list without end, hostile keys of stores, and unusual parts of manifests
	go test ./remote -run 'Timeout|Endless|Long|Large|ListMemory|Redirect|Zones|Reach|Rebinding|Pooled|Untrusted|Dial|Proxies|Unseen' -count 1 -timeout 0 -v
	go test ./cmd/npy -run CopyHostileKeys -count 1 -v
	go test ./parts -run 'Unusual|PartsThatChange|Memory' -count 1 -v

TIME = 1h
fuzz: ## every fuzz target for its share of an hour (make fuzz TIME=8h), printed into doc/reliability.md
	go run ./internal/longfuzz -time $(TIME)

static: ## the program of the page without a server, for npy view --export, into view/dist
	view/wasm/build view/dist

page: ## the page of npy view, from view/page into view/dist
	go run ./view/build

screenshots: ## the pictures of the README
	go run ./doc/screenshots

page-screenshots: ## the pictures of npy view, into doc/view
	cd view/browser && NPY_SCREENSHOTS=$(CURDIR)/doc/view go test -count 1 -run TestScreenshots .

release: ## all that is released, into dist: six systems, Debian, manual, completions, checksums
	release/build dist

release-check: ## whether a release is the same twice, installs and runs, and breaks no program
	release/check
	release/install
	release/api

.PHONY: help build install test quick race purego bigendian arm64 windows bench beam beambench check nightly live mutate hostile faults flips losses appends times computed moments bounds kill servers fuzz static page screenshots page-screenshots release release-check
