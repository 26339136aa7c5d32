/// The part of history that is in memory: the most recently used versions, and the changes that are not in the store yet.
///
/// The cost of an operation does not depend on the number of versions. Times are in seconds since 1970.
struct HistoryMemory {
    private struct Entry {
        let outline: EncodedOutline
        let view: UInt64
        /// A Boolean value that indicates whether the version is written to the store.
        let isStored: Bool
        /// The time of the last recorded use of the version.
        var notedAt: Int64

        var cost: Int { outline.bytes.count + HistoryRecord.overhead }
    }

    private let hash: ContentHash
    private var recent: CostBoundedCache<UInt128, Entry>
    private var unwritten: CostBoundedCache<HistoryKey, HistoryChange>
    /// The batch that is being written, or that could not be written.
    private var writing: [HistoryKey: HistoryChange] = [:]
    /// The number of changes that were discarded before they could be written.
    private(set) var droppedCount = 0
    private var writingCost = 0
    private var isWriting = false

    /// The maximum number of records in a batch. It is small, because actions wait for the store while a batch is written.
    static let batchLimit = 500

    init(byteLimit: Int, hash: ContentHash) {
        self.hash = hash
        recent = CostBoundedCache(costLimit: byteLimit / 4 * 3)
        // A quarter of the limit is divided equally between the unwritten changes and the batch that is being written.
        unwritten = CostBoundedCache(costLimit: byteLimit / 8)
    }

    /// The number of recently used versions, and the approximate bytes of these versions and of all unwritten changes.
    var usage: (versions: Int, bytes: Int) {
        (recent.count, recent.totalCost + unwritten.totalCost + writingCost)
    }

    var unwrittenCount: Int { unwritten.count + writing.count }

    /// Returns the outline of a version, or `nil` if it is not in memory. Marks the version as the most recently used one.
    mutating func outline(of key: HistoryKey) -> EncodedOutline? {
        if let entry = recent.use(key.digest(by: hash)) { return entry.outline }
        // `recent` may have evicted a version that is not written yet.
        guard case .saved(let outline, _, _)? = unwritten.value(of: key) ?? writing[key] else { return nil }
        return outline
    }

    /// Records that a version was used, unless a recent use is already recorded. Keeps the outline in memory.
    ///
    /// - Parameter isStored: A Boolean value that indicates whether the version is written to the store.
    mutating func note(_ key: HistoryKey, outline: EncodedOutline, view: UInt64, isStored: Bool = true, now: Int64) {
        let digest = key.digest(by: hash)
        let known = recent.use(digest)
        if let known, known.isStored || !isStored, HistoryBounds.isRecent(known.notedAt, at: now) { return }
        let isStored = isStored || known?.isStored == true
        let entry = Entry(outline: outline, view: view, isStored: isStored, notedAt: now)
        _ = recent.insert(entry, for: digest, cost: entry.cost)
        if isStored { change(key, .saved(outline, view: view, usedAt: now)) }
    }

    /// Records that a version was used. The version must be in memory or in the store.
    mutating func note(_ key: HistoryKey, now: Int64) {
        if let entry = recent.use(key.digest(by: hash)) {
            note(key, outline: entry.outline, view: entry.view, isStored: entry.isStored, now: now)
        } else if case .saved(let outline, let view, _)? = unwritten.value(of: key) ?? writing[key] {
            note(key, outline: outline, view: view, now: now)
        } else {
            change(key, .used(at: now))
        }
    }

    mutating func restore(_ record: HistoryRecord, _ outline: EncodedOutline) {
        let entry = Entry(outline: outline, view: record.view, isStored: true, notedAt: record.usedAt)
        _ = recent.insert(entry, for: record.key.digest(by: hash), cost: entry.cost)
    }

    private mutating func change(_ key: HistoryKey, _ change: HistoryChange) {
        // A change that is larger than `HistoryRetention.Holding.byteLimit` is discarded. A store treats such a size as damage and counts
        // it as 0 bytes, so the version would not count towards the limits of the store.
        guard change.cost + EncodedOutline.sealSize <= HistoryRetention.Holding.byteLimit else { return droppedCount += 1 }
        droppedCount += unwritten.insert(change, for: key, cost: change.cost).count
    }
}

// MARK: - Writing

extension HistoryMemory {
    /// Returns the batch whose last write failed, or else a batch of the oldest changes. Returns `nil` if there is nothing to write or if a
    /// batch is already being written.
    mutating func beginWriting() -> [HistoryKey: HistoryChange]? {
        guard !isWriting else { return nil }
        if writing.isEmpty {
            writingCost = unwritten.totalCost
            while writing.count < Self.batchLimit, let (key, change) = unwritten.removeOldest() { writing[key] = change }
            writingCost -= unwritten.totalCost
        }
        isWriting = !writing.isEmpty
        return isWriting ? writing : nil
    }

    /// Ends the writing of a batch. If the batch could not be written, the next call of `beginWriting` returns the same batch.
    mutating func endWriting(_ succeeded: Bool = true) {
        isWriting = false
        guard succeeded else { return }
        writing = [:]
        writingCost = 0
    }
}

/// A change to history: a new version, or a new time of last use.
enum HistoryChange {
    case saved(EncodedOutline, view: UInt64, usedAt: Int64)
    case used(at: Int64)

    fileprivate var cost: Int {
        guard case .saved(let outline, _, _) = self else { return HistoryRecord.overhead }
        return outline.bytes.count + HistoryRecord.overhead
    }
}

extension HistoryBatch {
    init(_ changes: [HistoryKey: HistoryChange], hash: ContentHash) {
        self.init()
        for (key, change) in changes {
            switch change {
            case .saved(let outline, let view, let usedAt):
                let sealed = outline.sealed(for: key, hash: hash)
                saved.append(HistoryRecord(key: key, view: view, outline: sealed, usedAt: usedAt))
            case .used(let time):
                used[key] = time
            }
        }
    }
}
