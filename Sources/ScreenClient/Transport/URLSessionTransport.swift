#if canImport(Darwin)
public import Foundation

/// A transport that uses `URLSession`.
public final class URLSessionTransport: ClientTransport {
    private let session: URLSession
    private let redirects = Redirects()

    /// Creates a transport with a session configuration. The transport does not read responses from the local cache, because a client
    /// stores the screens that it shows.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        let configuration = configuration.copy() as! URLSessionConfiguration
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration)
    }

    deinit {
        // Without this call, the session is never released.
        session.finishTasksAndInvalidate()
    }

    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        let (bytes, response) = try await session.bytes(for: urlRequest(request), delegate: redirects)
        let head = try Head(response)
        return TransportStream(status: head.status, headers: head.headers) { receive in
            // A piece is passed on at each line break, so that the end of an event is passed on at once.
            var piece: [UInt8] = []
            for try await byte in bytes {
                piece.append(byte)
                guard byte == UInt8(ascii: "\n") || piece.count == 1 << 16 else { continue }
                try await receive(piece)
                piece.removeAll(keepingCapacity: true)
            }
            if !piece.isEmpty { try await receive(piece) }
        }
    }

    private func urlRequest(_ request: TransportRequest) throws -> URLRequest {
        guard let url = URL(string: request.url) else { throw URLError(.badURL) }
        let (seconds, attoseconds) = request.timeout.components
        var result = URLRequest(url: url, timeoutInterval: Double(seconds) + Double(attoseconds) / 1e18)
        result.httpMethod = request.method
        result.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { result.addValue(value, forHTTPHeaderField: name) }
        return result
    }

    /// A delegate that lets only a GET follow a redirect, and only to the same server. After a redirect, `URLSession` would repeat a POST
    /// as a GET, and the response to the GET would count as the response to the action. Another server would receive the fields of the
    /// request, such as the token. If a request does not follow a redirect, the transport returns the redirect as the response.
    private final class Redirects: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? {
            guard let original = task.originalRequest, original.httpMethod == "GET" else { return nil }
            return original.url.map(origin) == request.url.map(origin) ? request : nil
        }

        /// Returns the scheme, the host and the port of a URL, which identify a server.
        private func origin(_ url: URL) -> [String] {
            let scheme = url.scheme?.lowercased() ?? ""
            return [scheme, url.host()?.lowercased() ?? "", String(url.port ?? (scheme == "https" ? 443 : 80))]
        }
    }

    private struct Head {
        let status: Int
        let headers: [(name: String, value: String)]

        init(_ response: URLResponse) throws {
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            status = response.statusCode
            headers = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        }
    }
}

extension ClientTransport where Self == URLSessionTransport {
    /// The default transport of the platform.
    public static var standard: URLSessionTransport { URLSessionTransport() }
}
#endif
