import CCurl
import Foundation

/// An HTTP client for any method, with complete or streamed responses.
///
/// One thread performs all transfers of a client, and connections are reused. When the client is deinitialized, its transfers fail with
/// ``HTTPClientError/cancelled`` and the thread ends.
///
/// The client speaks HTTP/1.1, so each transfer has its own connection. A reader that stops reading delays only its own transfer. The
/// client uses libcurl, because `URLSession` on Linux cannot stream, and crashes when a connection closes within the head of a response.
public final class HTTPClient: Sendable {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let queue: TransferQueue

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - connectTimeout: The maximum time to find the address of a server, to connect, and to negotiate TLS.
    ///   - transferLimit: The maximum number of concurrent transfers. A transfer beyond the limit fails with
    ///     ``HTTPClientError/exhausted``.
    public convenience init(connectTimeout: Duration = .seconds(10), transferLimit: Int = 4096) {
        self.init(connectTimeout: connectTimeout, transferLimit: transferLimit, now: { .now }, onEnd: {})
    }

    /// Creates a client whose clock can be replaced by tests.
    ///
    /// - Parameters:
    ///   - now: A function that returns the current time, which is compared with deadlines. It is called on the thread of the client.
    ///   - onEnd: A function that is called when the thread ends.
    package init(
        connectTimeout: Duration = .seconds(10), transferLimit: Int = 4096, now: @escaping @Sendable () -> ContinuousClock.Instant,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        queue = TransferQueue(limit: transferLimit)
        let isStarted =
            Self.isReady
            && startThread { [queue] in
                TransferLoop(queue, connectTimeout: connectTimeout.bounded, now: now)?.run()
                queue.close()
                onEnd()
            }
        if !isStarted { queue.close() }
    }

    deinit {
        queue.close()
    }

    /// Sends a request and returns its complete response.
    ///
    /// Up to three redirects of `GET` and `HEAD` to the same server are followed. Any other redirect is returned as the response.
    ///
    /// - Parameters:
    ///   - bodyLimit: The maximum size of the decoded body in bytes. The transfer of a larger body is aborted.
    ///   - timeout: The maximum time from the request to the last byte of the response, including all redirects.
    public func send(
        _ request: HTTPRequest, bodyLimit: Int = 1 << 20, timeout: Duration = .seconds(30)
    ) async throws(HTTPClientError) -> HTTPResponse {
        let transfer = try begin(request, .complete(bodyLimit: bodyLimit, timeout: timeout.bounded))
        return try await transfer.response()
    }

    /// Sends a request and returns its response when the head has arrived.
    ///
    /// Redirects are followed as in ``send(_:bodyLimit:timeout:)``.
    ///
    /// - Parameter idleTimeout: The maximum time without a byte from the server, measured from when the connection is established. The
    ///   measurement pauses while the client waits for the reader.
    public func stream(
        _ request: HTTPRequest, idleTimeout: Duration = .seconds(60)
    ) async throws(HTTPClientError) -> HTTPResponseStream {
        let lease = HTTPResponseStream.Lease(try begin(request, .streamed(idleTimeout: idleTimeout.bounded)))
        return HTTPResponseStream(head: try await lease.transfer.responseHead(), lease: lease)
    }

    /// Wakes the thread, so that it compares its deadlines with the current time again.
    package func wake() {
        queue.wake()
    }

    private func begin(_ request: HTTPRequest, _ reading: Transfer.Reading) throws(HTTPClientError) -> Transfer {
        if let fault = request.fault { throw .invalidRequest(fault) }
        guard let url = ServerURL(request.url.absoluteString) else { throw .invalidRequest(.url) }
        let transfer = Transfer(reading, queue: queue)
        try queue.start(transfer, request, url)
        return transfer
    }
}

extension Duration {
    /// The duration, limited to the range that libcurl and the clock can handle: 1 ms to 24 days.
    fileprivate var bounded: Duration {
        min(max(self, .milliseconds(1)), .seconds(24 * 86_400))
    }
}
