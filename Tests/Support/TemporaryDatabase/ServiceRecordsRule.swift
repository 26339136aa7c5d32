public import ScreenService

/// A rule about history and receipts that the stores of both engines follow.
public struct ServiceRecordsRule: Sendable, CustomStringConvertible {
    public let description: String
    private let body: @Sendable (any ServiceStoring, Reopening) async throws -> Void

    /// A function that opens the database of a store again, as after a restart or in another replica.
    public typealias Reopening = () async throws -> any ServiceStoring

    public struct Violation: Error {
        public let found: String
        public let expected: String
    }

    /// - Parameter store: an empty store.
    /// - Throws: ``Violation`` if the store breaks the rule, or an error of the store.
    public func check(_ store: any ServiceStoring, reopening: Reopening) async throws {
        try await body(store, reopening)
    }

    public static let all = [
        Self(description: "Records are found after reopening", body: recordsAreFoundAfterReopening),
        Self(description: "A batch saves records and updates times of use", body: aBatchSavesRecordsAndUpdatesTimesOfUse),
        Self(description: "Old versions are removed, however many", body: oldVersionsAreRemovedHoweverManyThereAre),
        Self(description: "Unused versions are removed before used ones", body: unusedVersionsAreRemovedBeforeUsedOnes),
        Self(description: "Retention chooses the versions that exceed the size", body: retentionChoosesTheVersionsThatExceedTheSize),
        Self(description: "A receipt is found after reopening", body: aReceiptIsFoundAfterReopening),
        Self(description: "A receipt is not replaced before it expires", body: aReceiptIsNotReplacedBeforeItExpires),
        Self(description: "Receipts of the last day are counted by the hour", body: receiptsOfTheLastDayAreCountedByTheHour),
    ]

    private static let now: Int64 = 1_600_000_000

    private static func expect<Value: Equatable>(_ found: Value, _ expected: Value) throws {
        if found != expected { throw Violation(found: "\(found)", expected: "\(expected)") }
    }
}

// MARK: - History

extension ServiceRecordsRule {
    @Sendable private static func recordsAreFoundAfterReopening(_ store: any ServiceStoring, _ reopening: Reopening) async throws {
        let long = String(repeating: "u", count: 10_000)
        let records: [HistoryRecord] = [
            .some(version: 1), .some(.user("everyone"), version: 1, view: .max),
            .some(.user("zoé"), version: .max, outline: [], usedAt: .max),
            .some(.user(""), version: 1), .some(.user("a\0b"), version: 1), .some(.user("a"), version: 1),
            .some(.user("\u{E9}"), version: 1),
            .some(.user("e\u{301}"), version: 1, outline: [9]), .some(.user(long), version: 1),
        ]
        try await store.history.write(HistoryBatch(saving: records))
        let absent: [HistoryRecord] = [.some(version: 2), .some(.user("b"), version: 1), .some(screen: "settings", version: 1)]
        let other = try await reopening()
        let found = try await other.history.records(of: (records + absent).map(\.key))
        await other.close()
        try expect(found.count, records.count)
        try expect(Set(found), Set(records))
    }

    @Sendable private static func aBatchSavesRecordsAndUpdatesTimesOfUse(_ store: any ServiceStoring, _: Reopening) async throws {
        let announcements = Announcements()
        announcements.observe(store.topics)
        try await store.history.write(HistoryBatch(saving: [.some(version: 1), .some(version: 2), .some(version: 3)]))
        let keys = [1, 2, 3, 8].map { HistoryRecord.some(version: $0).key }
        let used = [keys[1]: now + 77, keys[3]: now + 77]
        try await store.history.write(HistoryBatch(saving: [.some(version: 1, view: 9, outline: [1, 9])], used: used))
        let found = try await store.history.records(of: keys)
        try expect(Set(found), [.some(version: 1, view: 9, outline: [1, 9]), .some(version: 2, usedAt: now + 77), .some(version: 3)])
        try expect(announcements.all, [])
    }

    @Sendable private static func oldVersionsAreRemovedHoweverManyThereAre(_ store: any ServiceStoring, _: Reopening) async throws {
        let records = (0..<2500).map { HistoryRecord.some(version: $0, usedAt: now - ($0 < 2000 ? 101 : 100)) }
        try await store.history.write(HistoryBatch(saving: records))
        let holdings = try await store.history.removeExcess(over: HistoryBounds(age: 100), now: now)
        try expect(holdings, HistoryUsage(versions: 500, bytes: 500 * records[0].cost, removedEarly: 0))
        try expect(await store.history.records(of: [records[0].key, records[2400].key]), [records[2400]])
    }

    @Sendable private static func unusedVersionsAreRemovedBeforeUsedOnes(_ store: any ServiceStoring, _: Reopening) async throws {
        let records = (0..<20).map { HistoryRecord.some(version: $0, usedAt: $0 < 10 ? now - 10_000 + Int64($0) : now) }
        try await store.history.write(HistoryBatch(saving: records))
        let cost = records[0].cost
        // A removal reduces the versions to at most nine tenths of the bound. Nine tenths of 15 versions are 13.5 versions, so 13 versions
        // remain.
        let holdings = try await store.history.removeExcess(over: HistoryBounds(bytes: 15 * cost), now: now)
        try expect(holdings, HistoryUsage(versions: 13, bytes: 13 * cost, removedEarly: 0))
        let found = try await store.history.records(of: records.map(\.key))
        try expect(Set(found.map(\.key.version.low)), Set(7..<20))
    }

    @Sendable private static func retentionChoosesTheVersionsThatExceedTheSize(_ store: any ServiceStoring, _: Reopening) async throws {
        let records = (0..<100).map { number in
            HistoryRecord.some(
                number < 60 ? .user("loud") : .user("quiet\(number)"), version: number, view: number, usedAt: now - 99 + Int64(number))
        }
        try await store.history.write(HistoryBatch(saving: records))
        let cost = records[0].cost
        let holdings = try await store.history.removeExcess(over: HistoryBounds(bytes: 80 * cost), now: now)
        try expect(holdings, HistoryUsage(versions: 72, bytes: 72 * cost, removedEarly: 28))
        let found = try await store.history.records(of: records.map(\.key))
        try expect(Set(found.map(\.key.version.low)), Set(28..<100))
    }
}

// MARK: - Receipts

extension ServiceRecordsRule {
    @Sendable private static func aReceiptIsFoundAfterReopening(_ store: any ServiceStoring, _ reopening: Reopening) async throws {
        try await store.receipts.keep(.some())
        let other = try await reopening()
        let found = try await other.receipts.receipt(for: ActionReceipt.some().key)
        let absent = [
            try await other.receipts.receipt(for: ActionReceipt.some("l").key),
            try await other.receipts.receipt(for: ActionReceipt.some(user: "v").key),
        ]
        await other.close()
        try expect(found?.request, ActionReceipt.some().request)
        try expect(found?.performedAt, 1000)
        try expect(absent, [nil, nil])
    }

    @Sendable private static func aReceiptIsNotReplacedBeforeItExpires(_ store: any ServiceStoring, _: Reopening) async throws {
        let key = ActionReceipt.some().key
        try await store.receipts.keep(.some(request: 1, at: 1000))
        do {
            try await store.receipts.keep(.some(request: 2, at: 999 + ActionReceipt.lifetime))
            throw Violation(found: "A receipt was replaced before it expired.", expected: "ReceiptTaken")
        } catch is ReceiptTaken {}
        try expect(await store.receipts.receipt(for: key)?.request, ActionReceipt.some(request: 1).request)
        try await store.receipts.keep(.some(request: 2, at: 1000 + ActionReceipt.lifetime))
        try expect(await store.receipts.receipt(for: key)?.request, ActionReceipt.some(request: 2).request)
    }

    @Sendable private static func receiptsOfTheLastDayAreCountedByTheHour(_ store: any ServiceStoring, _: Reopening) async throws {
        let (now, day) = (50 * 3600 + 1 as Int64, ActionReceipt.lifetime)
        for (text, time) in [("forged", .max), ("old", now - day), ("é", now - day + 1), ("k", 49 * 3600), ("l", 49 * 3600 + 1)]
            as [(String, Int64)]
        {
            try await store.receipts.keep(.some(text, at: time))
        }
        let cost = { (text: String) in store.receipts.cost(of: ActionReceipt.some(text).key) }
        let holdings = try await store.receipts.holdings(at: now)?.sorted { $0.hour < $1.hour }
        try expect(
            holdings, [ReceiptHolding(hour: 26, count: 1, bytes: cost("é")), ReceiptHolding(hour: 49, count: 2, bytes: 2 * cost("k"))])
    }
}

// MARK: - Records

extension HistoryRecord {
    public static func some(
        _ audience: Audience = .everyone, screen: String = "posts", version: UInt64, view: UInt64 = 1, outline: [UInt8] = [1, 2, 3],
        usedAt: Int64 = 1_600_000_000
    ) -> HistoryRecord {
        let key = HistoryKey(audience: audience, screen: screen, version: Version(high: ~version, low: version))
        return HistoryRecord(key: key, view: view, outline: outline, usedAt: usedAt)
    }
}

extension HistoryBatch {
    public init(saving records: [HistoryRecord], used: [HistoryKey: Int64] = [:]) {
        self.init()
        (saved, self.used) = (records, used)
    }
}

extension ActionReceipt {
    public static func some(_ text: String = "k", user: String = "u", request: UInt64 = 1, at time: Int64 = 1000) -> ActionReceipt {
        let key = Key(user: user, screen: "s", action: "a", text: text)
        return ActionReceipt(key: key, request: Version(high: .max, low: request), performedAt: time)
    }
}
