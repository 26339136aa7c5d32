import HTTPServer
import ScreenHTTP
import ScreenService
import ScreenWire

/// Middleware that lets anyone sign in as one of a few development users. `GET /development/users` returns a token for each of these users.
struct DevelopmentSignIn: Middleware {
    /// The names of the development users, each with the additional claims of its token.
    static let users: [(name: String, claims: [JSONValue.Member])] = [
        ("alice", [.init("role", .string("editor"))]), ("bob", []), ("demo", []),
    ]
    static let path = "/development/users"
    static let hours: Int64 = 8

    let key: DevelopmentKey
    /// The middleware that verifies tokens. It receives all requests except requests for the list of development users.
    let within: any Middleware

    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        guard context.request.target == Self.path, context.request.method == "GET", context.request.refusal == nil else {
            return within.reply(to: context, next: next)
        }
        return .later { [key] in
            let headers: Headers = [
                "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
            ]
            return .response(Response(headers: headers, body: try await Self.document(signedBy: key)))
        }
    }

    /// Returns a JSON document such as `{"users":[{"name":"alice","claims":{"role":"editor"},"token":"…"}]}`.
    private static func document(signedBy key: DevelopmentKey) async throws -> [UInt8] {
        var listed: [JSONValue] = []
        for (name, claims) in users {
            let token = try await key.token(for: name, claims: claims, seconds: hours * 3600, now: ScreenService.systemTime())
            listed.append(.object([.init("name", .string(name)), .init("claims", .object(claims)), .init("token", .string(token))]))
        }
        return JSONValue.object([.init("users", .array(listed))]).bytes
    }
}
