@testable import ScreenClient

/// A store of attempts. While it is closed for a kind of work, each work of this kind waits until the test opens the
/// store or its task is cancelled.
actor GatedAttempts: AttemptStoring {
    private let store = MemoryStore()
    private var closed: Work?
    private var isFull = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private let begins = AsyncStream.makeStream(of: (Work, String).self)

    enum Work {
        case store, remove
    }

    /// Waits until the given work begins: either storing the attempt of the given action, or removing any attempt.
    nonisolated func began(_ work: Work, _ action: String = "") async {
        for await begun in begins.stream where begun == (work, action) { return }
    }

    func close(_ work: Work) {
        closed = work
    }

    func open() {
        closed = nil
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Makes each further write throw an error.
    func fill() {
        isFull = true
    }

    func attempts(of user: String) async -> [ActionAttempt] { await store.attempts(of: user) }

    func store(_ attempt: ActionAttempt, of user: String) async throws {
        await pass(.store, attempt.action)
        if isFull { throw TooManyAttempts() }
        try await store.store(attempt, of: user)
    }

    func removeAttempt(_ key: String, of user: String) async {
        await pass(.remove)
        await store.removeAttempt(key, of: user)
    }

    private func pass(_ work: Work, _ action: String = "") async {
        begins.continuation.yield((work, action))
        guard closed == work else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append($0) }
        } onCancel: {
            Task { await open() }
        }
    }
}
