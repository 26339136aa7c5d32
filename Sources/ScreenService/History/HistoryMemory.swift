/// The part of history that lies in memory: what was used last, and what the store has yet to be told.
///
/// A pure value, and each step costs the same however much there is; the time is given to it, in seconds since
/// 1970.
struct HistoryMemory {
    private struct Entry {
        let outline: EncodedOutline
        let view: UInt64
        /// When the store was last told that it is used.
        var notedAt: Int64

        var cost: Int { outline.bytes.count + HistoryRecord.overhead }
    }

    private let hash: ContentHash
    private var recent: CostBoundedCache<UInt128, Entry>
    private var unwritten: CostBoundedCache<HistoryKey, HistoryChange>
    /// What is being written, or is to be tried again.
    private var writing: [HistoryKey: HistoryChange] = [:]
    /// How many changes went before the store could take them.
    private(set) var droppedCount = 0
    private var writingCost = 0
    private var isWriting = false

    /// How many records one batch has at most: whoever acts waits behind it for the store.
    static let batchLimit = 500

    init(byteLimit: Int, hash: ContentHash) {
        self.hash = hash
        recent = CostBoundedCache(costLimit: byteLimit / 4 * 3)
        // What is being written may be as much again.
        unwritten = CostBoundedCache(costLimit: byteLimit / 8)
    }

    /// What is here, and the bytes that it takes, about.
    var usage: (versions: Int, bytes: Int) {
        (recent.count, recent.totalCost + unwritten.totalCost + writingCost)
    }

    /// How many records are other than the store has them.
    var unwrittenCount: Int { unwritten.count + writing.count }

    /// The outline of a version, which counts as used here.
    mutating func outline(of key: HistoryKey) -> EncodedOutline? {
        if let entry = recent.use(key.digest(by: hash)) { return entry.outline }
        // It may have been written long ago; then it is not here.
        guard case .saved(let outline, _, _)? = unwritten.value(of: key) ?? writing[key] else { return nil }
        return outline
    }

    /// Notes that a version is used whose outline is at hand.
    mutating func note(_ key: HistoryKey, outline: EncodedOutline, view: UInt64, now: Int64) {
        let digest = key.digest(by: hash)
        if let entry = recent.use(digest), HistoryBounds.isRecent(entry.notedAt, at: now) { return }
        let entry = Entry(outline: outline, view: view, notedAt: now)
        _ = recent.insert(entry, for: digest, cost: entry.cost)
        change(key, .saved(outline, view: view, usedAt: now))
    }

    /// Notes that a version is used which the store has, or this memory.
    mutating func note(_ key: HistoryKey, now: Int64) {
        if let entry = recent.use(key.digest(by: hash)) {
            note(key, outline: entry.outline, view: entry.view, now: now)
        } else if case .saved(let outline, let view, _)? = unwritten.value(of: key) ?? writing[key] {
            note(key, outline: outline, view: view, now: now)
        } else {
            change(key, .used(at: now))
        }
    }

    /// Takes over what was looked up in the store.
    mutating func restore(_ record: HistoryRecord, _ outline: EncodedOutline) {
        let entry = Entry(outline: outline, view: record.view, notedAt: record.usedAt)
        _ = recent.insert(entry, for: record.key.digest(by: hash), cost: entry.cost)
    }

    private mutating func change(_ key: HistoryKey, _ change: HistoryChange) {
        // In a store a larger size is taken for damage and counts as nothing, so no bound would remove the version.
        guard change.cost + EncodedOutline.sealSize <= HistoryRetention.Holding.byteLimit else { return droppedCount += 1 }
        droppedCount += unwritten.insert(change, for: key, cost: change.cost).count
    }
}

// MARK: - Writing

extension HistoryMemory {
    /// The next batch to write: the one that could not be written, or of what is unwritten that which was
    /// changed first. Nil where there is nothing, and while one is being written.
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

    /// Says whether the store has taken the batch.
    mutating func endWriting(_ isTaken: Bool = true) {
        isWriting = false
        guard isTaken else { return }
        writing = [:]
        writingCost = 0
    }
}

/// What the store of history has yet to be told of one version.
enum HistoryChange {
    case saved(EncodedOutline, view: UInt64, usedAt: Int64)
    case used(at: Int64)

    /// The bytes that it takes, about.
    fileprivate var cost: Int {
        guard case .saved(let outline, _, _) = self else { return HistoryRecord.overhead }
        return outline.bytes.count + HistoryRecord.overhead
    }
}

extension HistoryBatch {
    init(_ changes: [HistoryKey: HistoryChange], hash: ContentHash) {
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
