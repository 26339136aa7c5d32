import ScreenWire

/// A store that keeps snapshots and attempts in memory. Use it in tests, and in apps that store nothing on the device.
public actor MemoryStore: SnapshotStoring, AttemptStoring {
    /// The snapshots, oldest first.
    private var snapshots: [(view: StoredView, bytes: [UInt8])] = []
    private var attempts: [ExactText: [ActionAttempt]] = [:]
    private let snapshotByteLimit: Int
    private let attemptLimit: Int

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - snapshotByteLimit: The maximum size in bytes of all snapshots. If the size is exceeded, the oldest snapshots are removed.
    ///   - attemptLimit: The maximum number of stored attempts for each user. If the limit is reached, new actions are not sent.
    public init(snapshotByteLimit: Int = 64 << 20, attemptLimit: Int = 1000) {
        self.snapshotByteLimit = snapshotByteLimit
        self.attemptLimit = attemptLimit
    }

    public func snapshot(of view: StoredView) -> [UInt8]? { snapshots.first { $0.view == view }?.bytes }

    public func store(_ snapshot: [UInt8], of view: StoredView) {
        snapshots.removeAll { $0.view == view }
        snapshots.append((view, snapshot))
        var size = snapshots.reduce(0) { $0 + $1.bytes.count }
        while size > snapshotByteLimit { size -= snapshots.removeFirst().bytes.count }
    }

    public func removeSnapshots(of user: String) {
        snapshots.removeAll { ExactText($0.view.user) == ExactText(user) }
    }

    public func attempts(of user: String) -> [ActionAttempt] { attempts[ExactText(user)] ?? [] }

    public func store(_ attempt: ActionAttempt, of user: String) throws {
        var stored = attempts[ExactText(user)] ?? []
        stored.removeAll { $0.key == attempt.key }
        guard stored.count < attemptLimit else { throw TooManyAttempts() }
        attempts[ExactText(user)] = stored + [attempt]
    }

    public func removeAttempt(_ key: String, of user: String) {
        attempts[ExactText(user)]?.removeAll { $0.key == key }
    }
}
