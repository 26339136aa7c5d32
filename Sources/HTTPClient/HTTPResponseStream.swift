/// A response whose body is read while it arrives.
///
/// Each element contains the decoded bytes of the body that have arrived since the previous element. While 64 KiB are unread, the client
/// does not read from the connection. The body can be iterated once.
///
/// The transfer is aborted when the iterator is released, or when the reading task is cancelled. It is also aborted when the stream is
/// released before it is iterated. A stream does not keep its client alive.
///
/// - Throws: The iteration throws ``HTTPClientError/incomplete`` if the body does not arrive completely, ``HTTPClientError/timedOut(_:)``
///   if the stream is idle, and ``HTTPClientError/cancelled`` if the task is cancelled or the client is deinitialized. Before
///   ``HTTPClientError/incomplete`` or ``HTTPClientError/timedOut(_:)`` is thrown, all bytes that have arrived are returned as elements.
public struct HTTPResponseStream: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = HTTPClientError

    private let head: ResponseHead
    let lease: Lease

    init(head: ResponseHead, lease: Lease) {
        self.head = head
        self.lease = lease
    }

    public var status: Int { head.status }
    /// The headers. Bytes that are not UTF-8 are replaced.
    public var headers: HTTPHeaders { head.headers }
    /// The delay that the server requests before the next attempt (`Retry-After`); nil if it requests no delay.
    public var retryAfter: Duration? { head.retryAfter }

    /// Reads the rest of the body.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``HTTPClientError/tooLarge`` if the rest is longer. In this case, the transfer is aborted.
    public func rest(limit: Int = 1 << 20) async throws(HTTPClientError) -> [UInt8] {
        var (all, iterator) = ([UInt8](), makeAsyncIterator())
        while let bytes = try await iterator.next() {
            guard all.count + bytes.count <= limit else { throw .tooLarge }
            all += bytes
        }
        return all
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(owner: lease, lease: Lease(lease.transfer))
    }

    public struct Iterator: AsyncIteratorProtocol {
        /// The lease of the stream. The iterator retains it, so that the transfer continues after the stream is released.
        private let owner: Lease
        private let lease: Lease

        init(owner: Lease, lease: Lease) {
            self.owner = owner
            self.lease = lease
        }

        public mutating func next() async throws(HTTPClientError) -> [UInt8]? {
            try await lease.transfer.nextBytes()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(HTTPClientError) -> [UInt8]? {
            try await lease.transfer.nextBytes()
        }
    }

    /// An object that keeps a transfer alive. The transfer is aborted when the object is released.
    final class Lease: Sendable {
        let transfer: Transfer

        init(_ transfer: Transfer) {
            self.transfer = transfer
        }

        deinit {
            transfer.cancel()
        }
    }
}
