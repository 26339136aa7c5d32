/// Provides the tokens of a client. Concurrent requests share a call of the token source. After a reset, a call for the earlier user can
/// still be in progress, because a token source need not notice its cancellation.
///
/// The class is isolated to the main actor, so that there is no suspension between the reset of the tokens and the cancellation of the
/// requests of the earlier user.
@MainActor
final class Tokens {
    private struct Call {
        /// The rejected token that the new token will replace.
        let refused: String?
        let task: Task<String?, any Error>
    }

    private let source: TokenSource?
    private var call: Call?
    /// The last rejected token that was replaced, and the token that replaced it.
    private var replacement: (refused: String, token: String)?
    private(set) var resetCount = 0

    nonisolated init(_ source: TokenSource?) {
        self.source = source
    }

    func reset() {
        call?.task.cancel()
        (call, replacement) = (nil, nil)
        resetCount += 1
    }

    /// Returns a token for a request.
    ///
    /// - Parameter refused: The token that the server rejected, if the request was sent before. Requests with the same rejected token
    ///   receive the same new token, even if the last of these requests is rejected after the renewal.
    func token(replacing refused: String? = nil) async throws(Exchanges.Failed) -> String? {
        guard let source else { return nil }
        while let call {
            let token = try await result(of: call)
            if refused == nil || call.refused == refused || token != refused { return token }
        }
        if let replacement, replacement.refused == refused { return replacement.token }
        let call = Call(refused: refused, task: Task { try await source(refused) })
        self.call = call
        return try await result(of: call)
    }

    private func result(of call: Call) async throws(Exchanges.Failed) -> String? {
        let result = await call.task.result
        if self.call?.task == call.task {
            self.call = nil
            if let refused = call.refused, case .success(let token?) = result, token != refused { replacement = (refused, token) }
        }
        do { return try result.get() } catch { throw Exchanges.Failed(error: call.task.isCancelled ? .cancelled : .token(error)) }
    }
}
