public import HTTPServer
import ScreenService

/// A layer that allows pages of other origins to use the server (CORS; Fetch, section 3.2).
///
/// It does not allow credentials such as cookies, because callers authenticate with a header field. So a browser never automatically sends
/// anything that a foreign page could abuse.
public struct CrossOrigin: Middleware {
    /// An origin such as `https://app.example.com`, or `*` for any origin.
    public struct Origin: Hashable, Sendable {
        let text: String

        /// Creates an origin from a text. The text must be `*` or have the form in which browsers send origins: a scheme, a host, and a
        /// port. The default port of the scheme must be omitted. Returns nil for any other text.
        public init?(_ text: String) {
            let form = /([a-z][a-z0-9+.-]*):\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?/
            if text != "*" {
                guard let match = text.wholeMatch(of: form) else { return nil }
                if let port = match.2, Self.defaultPorts[String(match.1)] == String(port) { return nil }
            }
            self.text = text
        }

        /// The ports that browsers omit in an origin, by the scheme.
        private static let defaultPorts = ["http": "80", "https": "443"]
    }

    private let origins: Set<String>
    private let allowsAll: Bool

    public init(allowing origins: [Origin]) {
        self.origins = Set(origins.map(\.text))
        allowsAll = self.origins.contains("*")
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        let headers = context.request.headers
        // `Vary` names `Origin`, because a response that allows one origin must not be served from a cache to another origin.
        if !allowsAll { context.varyFields.append("Origin") }
        let origin = headers["Origin"]
        // With `*`, a cache may reuse the response to a request without `Origin` for a later request with `Origin`. So the fields of this
        // layer are also added to the response to a request without `Origin`.
        guard let allowed = allowsAll ? "*" : origin.flatMap({ origins.contains($0) ? $0 : nil }) else { return next(context) }
        if origin != nil, context.request.refusal == nil, context.request.method == "OPTIONS",
            headers["Access-Control-Request-Method"] != nil
        {
            return .response(preflight(for: allowed))
        }
        return next(context).map { answer in
            // Each change of the fields of an answer prepares the answer once more.
            var (answer, headers) = (answer, answer.headers)
            headers.append("Access-Control-Allow-Origin", allowed)
            headers.append("Access-Control-Expose-Headers", Self.exposed)
            answer.headers = headers
            return answer
        }
    }

    private func preflight(for origin: String) -> Response {
        var headers: Headers = [
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
            "Access-Control-Allow-Headers": (["Accept", "Authorization", "Content-Type"] + RequestField.allCases.map(\.rawValue))
                .joined(separator: ", "),
            "Access-Control-Max-Age": Self.seconds,
        ]
        if !allowsAll { headers.append("Vary", "Origin") }
        return Response(status: 204, headers: headers)
    }

    /// The number of seconds for which browsers may cache a preflight response. Two hours are the maximum of Chromium.
    private static let seconds = "7200"

    /// The response fields that scripts may read in addition to the fields that browsers always allow (Fetch, section 2.2.6).
    private static let exposed: String = {
        let fields: [ResponseField] = [.entityTag, .preferenceApplied, .retryAfter, .wwwAuthenticate, .allow, .position, .requestID]
        // A load balancer adds `Relist-Replica`, the name of the replica that responded.
        return (fields.map(\.rawValue) + ["Relist-Replica"]).joined(separator: ", ")
    }()
}
