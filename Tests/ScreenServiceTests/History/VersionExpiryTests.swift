import Testing

@testable import ScreenService

/// Tests the expiry of versions in a complete service.
@Suite("Expiry of versions", .timeLimit(.minutes(3))) struct VersionExpiryTests {
    private static let many = (1...30).map { "c\($0)" }
    private let store = TestHistory()
    private let clock = ManualClock()

    private func service(_ bounds: HistoryBounds = HistoryBounds(), cacheBytes: Int = 2 << 20) async throws -> LetterService {
        try await LetterService(Self.many, over: store, bounds: bounds, cacheBytes: cacheBytes, clock: clock)
    }

    private func isKnown(_ version: String, to letters: LetterService, at view: ScreenView) async throws -> Bool {
        try await !letters.service.changes(of: view, from: version).value.text.contains("unknown-version")
    }

    /// Requests the snapshots of `count` different views. The snapshots have different versions.
    private func requestOthers(_ count: Int, of letters: LetterService, prefix: String = "") async throws {
        for number in 0..<count {
            _ = try await letters.service.snapshot(of: letters.view(["q": "\(prefix)\(number)"])).value
            if number % 500 == 0 { await letters.history.settle() }
        }
        await letters.history.settle()
    }

    /// If the memory has the smaller of the two sizes, the version must be looked up in the store.
    @Test(arguments: [1 << 20, 64 << 20])
    func aVersionIsKnownAfterTenThousandOtherViewsWereRequested(memoryBytes: Int) async throws {
        let letters = try await service(HistoryBounds(memoryBytes: memoryBytes))
        let first = try await letters.service.snapshot(of: letters.view()).value.version
        letters.store.write(Self.many + ["x"])
        let second = try await letters.service.snapshot(of: letters.view()).value.version
        try await requestOthers(10_000, of: letters)
        #expect(try await isKnown(first, to: letters, at: letters.view()))
        letters.store.write(Self.many + ["cy"])
        #expect(try await isKnown(second, to: letters, at: letters.view()))
    }

    @Test func aFollowerReceivesChangesetsEvenIfManyOtherViewsAreRequested() async throws {
        let letters = try await service(HistoryBounds(memoryBytes: 0), cacheBytes: 0)
        let follower = try await Follower(letters.service, letters.view())
        _ = await follower.next()
        for round in 0..<5 {
            try await requestOthers(50, of: letters, prefix: "\(round)-")
            letters.store.write(Self.many + ["x\(round)"])
            #expect(try #require(await follower.next()).kind == .changeset)
        }
        #expect(store.lookups.isEmpty)
    }

    @Test func theLastTwoVersionsOfACachedViewAreKnownWithoutALookup() async throws {
        let letters = try await service(HistoryBounds(memoryBytes: 0))
        let first = try await letters.service.snapshot(of: letters.view()).value.version
        letters.store.write(Self.many + ["x"])
        let second = try await letters.service.snapshot(of: letters.view()).value.version
        #expect(try await isKnown(first, to: letters, at: letters.view()))
        letters.store.write(Self.many + ["y"])
        #expect(try await isKnown(second, to: letters, at: letters.view()))
        #expect(store.lookups.isEmpty)
    }

    private func lastUse(of version: String, at view: ScreenView) async throws -> Int64? {
        try await store.records(of: [view.key(Version(version)!)]).first?.usedAt
    }

    @Test func theUseOfAVersionIsRecordedWhenItsCachedSnapshotIsSent() async throws {
        let letters = try await service()
        let view = letters.view()
        let version = try await letters.service.snapshot(of: view).value.version
        await letters.history.settle()
        for _ in 0..<5 {
            clock.advance(by: .seconds(1800))
            #expect(letters.service.snapshot(of: view).immediateValue != nil)
        }
        await letters.history.settle()
        #expect(try await lastUse(of: version, at: view) == clock.now)
    }

    @Test func theUseOfAVersionIsRecordedEvenIfItsChangesetIsCached() async throws {
        let letters = try await service(HistoryBounds(memoryBytes: 1 << 14))
        let view = letters.view()
        let old = try await letters.service.snapshot(of: view).value.version
        await letters.history.settle()
        letters.store.write(Self.many + ["x"])
        clock.advance(by: .seconds(7200))
        _ = try await letters.service.changes(of: view, from: old).value
        await letters.history.settle()
        #expect(try await lastUse(of: old, at: view) == clock.now)
        try await requestOthers(100, of: letters)
        for _ in 0..<5 {
            clock.advance(by: .seconds(1800))
            #expect(letters.service.changes(of: view, from: old).immediateValue != nil)
        }
        await letters.history.settle()
        #expect(try await lastUse(of: old, at: view) == clock.now)
    }

    @Test func differentViewsHaveDifferentHashes() async throws {
        let letters = try await service()
        let views = [
            letters.view(), letters.view(["q": "a"]), letters.view(locale: .french), letters.view(of: "notes", user: "a"),
            letters.view(of: "notes", user: "b"), letters.view(of: "notes", user: "everyone"),
        ]
        #expect(Set(views.map { $0.hash(by: .fixed) }).count == views.count)
    }

    @Test func aFullStoreRemovesUnusedVersionsFirst() async throws {
        let letters = try await service(HistoryBounds(bytes: 100_000, memoryBytes: 0), cacheBytes: 0)
        // The memory limit of this service is 0, so the service drops new versions and does not write them. Therefore another service
        // writes the versions.
        let writer = try await service(HistoryBounds(bytes: 100_000))
        try await requestOthers(100, of: writer, prefix: "old")
        clock.advance(by: .seconds(HistoryBounds.protection + HistoryBounds.useInterval + 1))
        let mine = try await writer.service.snapshot(of: writer.view()).value.version
        try await requestOthers(300, of: writer, prefix: "new")
        clock.advance(by: .seconds(61))
        _ = try await writer.service.snapshot(of: writer.view(["q": "last"])).value
        await writer.history.settle()
        #expect(writer.history.holdings.bytes <= 100_000)
        #expect(writer.history.counts.removedEarly == 0)
        letters.store.write(Self.many + ["x"])
        #expect(try await isKnown(mine, to: letters, at: letters.view()))
    }

    @Test func theRemovalOfRecentlyUsedVersionsFromAFullStoreIsCounted() async throws {
        let letters = try await service(HistoryBounds(bytes: 10_000))
        try await requestOthers(300, of: letters)
        clock.advance(by: .seconds(61))
        _ = try await letters.service.snapshot(of: letters.view()).value
        await letters.history.settle()
        #expect(letters.history.holdings.bytes <= 10_000)
        #expect(letters.history.counts.removedEarly > 0)
    }

    @Test func aVersionThatIsUnusedForTooLongIsRemoved() async throws {
        let letters = try await service(HistoryBounds(age: 1000, memoryBytes: 1 << 12))
        let old = try await letters.service.snapshot(of: letters.view()).value.version
        await letters.history.settle()
        clock.advance(by: .seconds(1001))
        _ = try await letters.service.snapshot(of: letters.view(["q": "c"])).value
        await letters.history.settle()
        #expect(try await !store.has(letters.view().key(Version(old)!)))
    }

    @Test func theMemoryOfHistoryIsLimitedWhileTheStoreFails() async throws {
        let bounds = HistoryBounds(memoryBytes: 100_000)
        let letters = try await service(bounds, cacheBytes: 100_000)
        store.fail(true)
        try await requestOthers(2000, of: letters)
        #expect(letters.history.usage.bytes <= bounds.memoryBytes)
        #expect(letters.history.counts.dropped > 0)
        #expect(letters.service.usage.viewBytes <= 100_000)
        store.fail(false)
        await letters.history.settle()
        #expect(letters.history.unwrittenCount == 0)
    }

    @Test func requestsWithUnknownVersionsShareLookupsAndUseNoMemory() async throws {
        let letters = try await service()
        let view = letters.view()
        _ = try await letters.service.changes(of: view, from: nil).value
        let before = letters.service.usage
        let versions = (0..<UInt64(2000)).map { Version(high: $0, low: ~$0).description }
        await withTaskGroup { group in
            for version in versions {
                group.addTask {
                    let document = try? await letters.service.changes(of: view, from: version).value
                    #expect(document?.text.contains("unknown-version") == true)
                }
            }
        }
        #expect(store.lookups.count < versions.count)
        let after = letters.service.usage
        #expect(after.versions == before.versions && after.versionBytes == before.versionBytes)
        let document = letters.service.changes(of: view, from: "none").immediateValue
        #expect(after.viewBytes <= before.viewBytes + (document?.cost ?? 0))
    }
}
