#if os(Linux)
import Foundation
import HTTPClient

/// A transport that uses libcurl.
public struct CurlTransport: ClientTransport {
    private let client = HTTPClient()

    public init() {}

    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        let stream = try await client.stream(Self.httpRequest(request), idleTimeout: request.timeout)
        return TransportStream(status: stream.status, headers: Self.fields(stream.headers)) { receive in
            for try await bytes in stream { try await receive(bytes) }
        }
    }

    private static func httpRequest(_ request: TransportRequest) throws -> HTTPRequest {
        guard let url = URL(string: request.url) else { throw HTTPClientError.invalidRequest(.url) }
        var headers = HTTPHeaders()
        for (name, value) in request.headers { headers.append(name, value) }
        return HTTPRequest(request.method, url, headers: headers, body: request.body ?? [])
    }

    private static func fields(_ headers: HTTPHeaders) -> [(name: String, value: String)] {
        headers.fields.map { ($0.name, $0.value) }
    }
}

extension ClientTransport where Self == CurlTransport {
    /// The default transport of the platform.
    public static var standard: CurlTransport { CurlTransport() }
}
#endif
