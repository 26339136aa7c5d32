public import Foundation

/// A client that gets documents over HTTP, each within a time and a size.
///
/// `URLSession` on Linux ends the process when a server's head is cut off; what it reads is not ours
/// to choose, so libcurl is asked directly.
public final class HTTPClient: Sendable {
    public typealias Sleep = @Sendable (Duration) async throws -> Void

    /// A complete answer of any status.
    public struct Answer: Equatable, Sendable {
        public let status: Int
        /// How long the server asks to wait; nil where it does not.
        public let retryAfter: Duration?
        public let body: [UInt8]
    }

    /// Why there is no answer.
    public enum Failure: Error, Hashable {
        /// There was no connection, or it broke, or what came over it was not HTTP.
        case unreachable
        /// The answer was not complete in time.
        case slow
        case tooLarge
    }

    private let timeout: Duration
    private let sizeLimit: Int
    private let sleep: Sleep

    /// - Parameters:
    ///   - timeout: from the request to the last byte of its answer, redirects with it.
    ///   - sizeLimit: bytes of a body, decompressed. What is larger is cut off while it comes.
    ///   - sleep: waits for the timeout.
    public init(
        timeout: Duration = .seconds(3), sizeLimit: Int = 1 << 20,
        sleep: @escaping Sleep = { try await Task.sleep(for: $0) }
    ) {
        self.timeout = timeout
        self.sizeLimit = sizeLimit
        self.sleep = sleep
    }

    /// Asks for a document. A redirect is followed on the same server only; elsewhere it is the answer.
    public func get(_ url: URL) async throws(Failure) -> Answer {
        let first = await withTaskGroup(of: Result<Answer, Failure>.self) { [sizeLimit, sleep, timeout] group in
            group.addTask { await Transfer(url: url, sizeLimit: sizeLimit).outcome() }
            group.addTask {
                try? await sleep(timeout)
                return .failure(.slow)
            }
            defer { group.cancelAll() }
            return await group.next()
        }
        return try (first ?? .failure(.slow)).get()
    }
}
