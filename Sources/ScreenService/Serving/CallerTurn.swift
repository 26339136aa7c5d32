/// A turn of a caller, whose work that runs at the same time is limited. Work that waits for changes takes its turn only when it computes.
package struct CallerTurn: Sendable {
    /// The turn that the work of the current task takes when it computes; `nil` if the work is not limited.
    @TaskLocal package static var current: CallerTurn?

    /// A Boolean value that indicates whether the work of the current task has waited for its turn. The views that it requests are computed
    /// with a low priority, so that a caller with more requests than turns does not slow down other callers.
    @TaskLocal package static var hasWaited = false

    private let begin: @Sendable () async throws -> Bool
    private let end: @Sendable () -> Void

    /// Creates a turn. `begin` waits until the turn begins, and returns `false` if it began at once.
    package init(begin: @escaping @Sendable () async throws -> Bool, end: @escaping @Sendable () -> Void) {
        (self.begin, self.end) = (begin, end)
    }

    /// Runs work in the turn of the current task.
    static func run<Value>(_ work: () async throws -> Value) async throws -> Value {
        guard let current else { return try await work() }
        return try await current.run(work)
    }

    /// Runs work in this turn.
    package func run<Value>(_ work: () async throws -> Value) async throws -> Value {
        let hasWaited = try await begin()
        defer { end() }
        return try await Self.$hasWaited.withValue(hasWaited, operation: work)
    }
}
