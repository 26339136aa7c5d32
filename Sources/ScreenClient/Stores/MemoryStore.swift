/// A store that keeps snapshots and attempts in memory. Use it in tests, and in apps that store nothing on the device.
public actor MemoryStore: SnapshotStoring, AttemptStoring {
    private var snapshots: [StoredView: [UInt8]] = [:]
    private var attempts: [String: [ActionAttempt]] = [:]

    public init() {}

    public func snapshot(of view: StoredView) -> [UInt8]? { snapshots[view] }

    public func store(_ snapshot: [UInt8], of view: StoredView) { snapshots[view] = snapshot }

    public func removeSnapshots(of user: String) {
        snapshots = snapshots.filter { $0.key.user != user }
    }

    public func attempts(of user: String) -> [ActionAttempt] { attempts[user] ?? [] }

    public func store(_ attempt: ActionAttempt, of user: String) {
        attempts[user, default: []].removeAll { $0.key == attempt.key }
        attempts[user, default: []].append(attempt)
    }

    public func removeAttempt(_ key: String, of user: String) {
        attempts[user]?.removeAll { $0.key == key }
    }
}
