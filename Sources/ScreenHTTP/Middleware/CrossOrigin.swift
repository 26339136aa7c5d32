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
            let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
            guard text == "*" || parts.count == 2 && Self.isScheme(parts[0]) && Self.isAuthority(parts[1]) else { return nil }
            self.text = text
        }

        private static func isScheme(_ text: Substring) -> Bool {
            text.utf8.first.map(isSmallLetter) == true
                && text.utf8.allSatisfy { isSmallLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
        }

        private static func isAuthority(_ text: Substring) -> Bool {
            let isIPv6 = text.first == "["
            return !text.isEmpty && text.utf8.allSatisfy {
                isSmallLetter($0) || isDigit($0) || "-._:".utf8.contains($0) || isIPv6 && "[]".utf8.contains($0)
            }
        }

        private static func isSmallLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    }

    private let origins: Set<String>
    private let allowsAll: Bool

    public init(allowing origins: [Origin]) {
        self.origins = Set(origins.map(\.text))
        allowsAll = self.origins.contains("*")
    }

    public func reply(to context: consuming RequestContext, next: @escaping Next) throws -> Reply {
        let headers = context.request.headers
        // A cache must not give one origin what says that another is allowed.
        if !allowsAll { context.decisiveFields.append("Origin") }
        guard let origin = headers["Origin"], allowsAll || origins.contains(origin) else { return try next(context) }
        let allowed = allowsAll ? "*" : origin
        if context.request.method == "OPTIONS", headers["Access-Control-Request-Method"] != nil {
            return .response(preflight(for: allowed))
        }
        return try next(context).map { answer in
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
        let fields: [ResponseField] = [.entityTag, .preferenceApplied, .retryAfter, .wwwAuthenticate, .allow]
        return fields.map(\.rawValue).joined(separator: ", ")
    }()
}
