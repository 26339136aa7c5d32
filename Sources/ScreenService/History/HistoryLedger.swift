/// Keeps the books of history: which versions there are, which one replaced which, what must go, and
/// what has to be written to the store.
///
/// A pure value; the time is given to it, in seconds since 1970.
struct HistoryLedger {
    fileprivate struct Shelf: Hashable {
        let audience: Audience
        let screen: String
    }

    private struct Entry {
        let outline: EncodedOutline
        var view: UInt64
        /// Counts what was handed out: many versions come within one second.
        var turn: UInt64
        /// `Int64.max` while it is the newest of its view.
        var supersededAt: Int64

        /// What an entry takes besides its outline, in memory and on disk alike, about.
        static let overhead = 87

        var cost: Int { outline.bytes.count + Self.overhead }

        /// The first to go: what was superseded longest ago, then what was handed out longest ago.
        static func leaves(_ a: Entry, before b: Entry) -> Bool {
            (a.supersededAt, a.turn) < (b.supersededAt, b.turn)
        }
    }

    let bounds: HistoryBounds
    private var shelves: [Shelf: [Version: Entry]] = [:]
    private(set) var bytes = 0
    private(set) var count = 0
    private var turns: UInt64 = 0
    private var batch = HistoryBatch()
    private var prunedAt = Int64.min

    /// How many seconds pass between two looks at the age of all versions.
    private static let pruningInterval: Int64 = 60

    init(bounds: HistoryBounds) {
        self.bounds = bounds
    }

    func outline(of key: HistoryKey) -> EncodedOutline? {
        shelves[key.shelf]?[key.version]?.outline
    }

    /// Notes that a version was handed out as the newest of its view.
    mutating func record(_ key: HistoryKey, outline: EncodedOutline, view: UInt64, now: Int64) {
        supersede(othersThan: key, of: view, now: now)
        let old = shelves[key.shelf]?[key.version]
        put(outline, for: key, of: view, supersededAt: .max)
        if old == nil || old?.supersededAt != .max || old?.view != view {
            save(HistoryRecord(key: key, view: view, outline: outline.bytes, recordedAt: now, supersededAt: nil))
        }
        shrinkShelf(of: key)
        if bytes > bounds.bytes { shrink() }
    }

    /// Takes over what the store had: what was recorded first comes first.
    mutating func restore(_ record: HistoryRecord) {
        guard let outline = EncodedOutline(stored: record.outline) else {
            batch.removed.insert(record.key)
            return
        }
        put(outline, for: record.key, of: record.view, supersededAt: record.supersededAt ?? .max)
    }

    /// Lets go of what is over a bound, unless that was done a moment ago.
    mutating func prune(now: Int64) {
        guard now >= prunedAt &+ Self.pruningInterval || prunedAt == .min else { return }
        prunedAt = now
        for (shelf, entries) in shelves {
            for (version, entry) in entries where entry.supersededAt < now - bounds.age {
                remove(shelf.key(version))
            }
            while let count = shelves[shelf]?.count, count > bounds.versionsPerScreen { removeFirst(of: shelf) }
        }
        if bytes > bounds.bytes { shrink() }
    }

    /// How many records are other than the store has them.
    var unwrittenCount: Int { batch.count }

    /// What was not written to the store yet; from now on it counts as written.
    mutating func takeBatch() -> HistoryBatch {
        defer { batch = HistoryBatch() }
        return batch
    }

    /// Takes back a batch that could not be written. What came since wins.
    mutating func giveBack(_ failed: HistoryBatch) {
        for record in failed.saved where !batch.replaces(record.key) {
            // The store has no record yet to which the time alone could be written.
            let supersededAt = batch.superseded.removeValue(forKey: record.key) ?? record.supersededAt
            batch.saved.append(record.with(supersededAt: supersededAt))
        }
        for (key, time) in failed.superseded where !batch.replaces(key) && batch.superseded[key] == nil {
            batch.superseded[key] = time
        }
        for key in failed.removed where !batch.replaces(key) { batch.removed.insert(key) }
    }
}

extension HistoryLedger {
    private mutating func put(_ outline: EncodedOutline, for key: HistoryKey, of view: UInt64, supersededAt: Int64) {
        turns += 1
        let entry = Entry(outline: outline, view: view, turn: turns, supersededAt: supersededAt)
        if let old = shelves[key.shelf, default: [:]].updateValue(entry, forKey: key.version) {
            bytes -= old.cost
        } else {
            count += 1
        }
        bytes += entry.cost
    }

    private mutating func supersede(othersThan key: HistoryKey, of view: UInt64, now: Int64) {
        for (version, entry) in shelves[key.shelf] ?? [:]
        where entry.view == view && version != key.version && entry.supersededAt == .max {
            shelves[key.shelf]?[version]?.supersededAt = now
            supersede(key.shelf.key(version), now: now)
        }
    }

    private mutating func shrinkShelf(of key: HistoryKey) {
        while let count = shelves[key.shelf]?.count, count > max(1, bounds.versionsPerScreen) { removeFirst(of: key.shelf) }
    }

    private mutating func removeFirst(of shelf: Shelf) {
        guard let first = shelves[shelf]?.min(by: { Entry.leaves($0.value, before: $1.value) }) else { return }
        remove(shelf.key(first.key))
    }

    /// Goes down to nine tenths of the bytes, so that not every new version has all of them sorted.
    private mutating func shrink() {
        let all = shelves.flatMap { shelf, entries in entries.map { (key: shelf.key($0), entry: $1) } }
        for (key, _) in all.sorted(by: { Entry.leaves($0.entry, before: $1.entry) }) {
            guard bytes > bounds.bytes / 10 * 9 else { return }
            remove(key)
        }
    }

    private mutating func remove(_ key: HistoryKey) {
        guard let entry = shelves[key.shelf]?.removeValue(forKey: key.version) else { return }
        if shelves[key.shelf]?.isEmpty == true { shelves[key.shelf] = nil }
        bytes -= entry.cost
        count -= 1
        batch.saved.removeAll { $0.key == key }
        batch.superseded[key] = nil
        batch.removed.insert(key)
    }

    private mutating func save(_ record: HistoryRecord) {
        batch.saved.removeAll { $0.key == record.key }
        batch.superseded[record.key] = nil
        batch.removed.remove(record.key)
        batch.saved.append(record)
    }

    private mutating func supersede(_ key: HistoryKey, now: Int64) {
        guard let index = batch.saved.firstIndex(where: { $0.key == key }) else {
            batch.superseded[key] = now
            return
        }
        batch.saved[index] = batch.saved[index].with(supersededAt: now)
    }
}

extension HistoryBatch {
    /// Whether it says all that there is to say of a key.
    fileprivate func replaces(_ key: HistoryKey) -> Bool {
        removed.contains(key) || saved.contains { $0.key == key }
    }
}

extension HistoryRecord {
    fileprivate func with(supersededAt: Int64?) -> HistoryRecord {
        HistoryRecord(key: key, view: view, outline: outline, recordedAt: recordedAt, supersededAt: supersededAt)
    }
}

extension HistoryKey {
    fileprivate var shelf: HistoryLedger.Shelf { HistoryLedger.Shelf(audience: audience, screen: screen) }
}

extension HistoryLedger.Shelf {
    fileprivate func key(_ version: Version) -> HistoryKey {
        HistoryKey(audience: audience, screen: screen, version: version)
    }
}
