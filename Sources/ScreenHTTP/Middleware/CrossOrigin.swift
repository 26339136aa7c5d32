public import HTTPServer
import ScreenService

/// A layer that lets pages of other origins use what is served (Fetch, section 3.2).
///
/// Who asks is said in a field, never in a cookie, so that a browser sends nothing by itself that another page could abuse:
/// credentials are not allowed, and need not be.
public struct CrossOrigin: Middleware {
    /// An origin such as `https://app.example.com`, or `*` for any.
    public struct Origin: Hashable, Sendable {
        let text: String

        /// Nil where the text is no origin as a browser sends it: a scheme, a host and, if it is not the usual one, a port.
        public init?(_ text: String) {
            let form = /([a-z][a-z0-9+.-]*):\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?/
            if text != "*" {
                guard let match = text.wholeMatch(of: form) else { return nil }
                if let port = match.2, Self.usualPorts[String(match.1)] == String(port) { return nil }
            }
            self.text = text
        }

        /// A browser does not say them.
        private static let usualPorts = ["http": "80", "https": "443"]
    }

    private let origins: Set<String>
    private let allowsAll: Bool

    public init(allowing origins: [Origin]) {
        self.origins = Set(origins.map(\.text))
        allowsAll = self.origins.contains("*")
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        let headers = context.request.headers
        // A cache must not give one origin what says that another is allowed.
        if !allowsAll { context.decisiveFields.append("Origin") }
        let origin = headers["Origin"]
        // Where all may ask, whoever names no origin is told of it, too: caches give that answer to those who do.
        guard let allowed = allowsAll ? "*" : origin.flatMap({ origins.contains($0) ? $0 : nil }) else { return next(context) }
        if origin != nil, context.request.refusal == nil, context.request.method == "OPTIONS", headers["Access-Control-Request-Method"] != nil {
            return .response(preflight(for: allowed))
        }
        return next(context).map { answer in
            var answer = answer
            answer.headers.append("Access-Control-Allow-Origin", allowed)
            answer.headers.append("Access-Control-Expose-Headers", Self.exposed)
            return answer
        }
    }

    private func preflight(for origin: String) -> Response {
        var headers: Headers = [
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": "GET, HEAD, POST",
            "Access-Control-Allow-Headers": (["Accept", "Authorization", "Content-Type"] + RequestField.allCases.map(\.rawValue))
                .joined(separator: ", "),
            "Access-Control-Max-Age": Self.seconds,
        ]
        if !allowsAll { headers.append("Vary", "Origin") }
        return Response(status: 204, headers: headers)
    }

    /// How long a browser may remember it: two hours, more than which Chromium does not take.
    private static let seconds = "7200"

    /// What scripts may read beside the fields that they always may (Fetch, section 2.2.6).
    private static let exposed: String = {
        let fields: [ResponseField] = [.entityTag, .preferenceApplied, .retryAfter, .wwwAuthenticate, .allow, .position]
        // The last is what a balancer adds, to say which replica answered.
        return (fields.map(\.rawValue) + ["Relist-Replica"]).joined(separator: ", ")
    }()
}
