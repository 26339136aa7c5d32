import HTTPServer
import ScreenHTTP
import ScreenModel
import ScreenService
import ScreenWire

/// A layer that signs anyone in as a few users of development, for the page: `GET /development/users` gives their tokens.
struct DevelopmentSignIn: Middleware {
    /// Which a new server knows of, with what is claimed of them.
    static let users: [(name: String, claims: [JSONValue.Member])] = [
        ("alice", [.init("role", .string("editor"))]), ("bob", []), ("demo", []),
    ]
    static let path = "/development/users"
    static let hours: Int64 = 8

    let key: DevelopmentKey
    let within: any Middleware

    init(key: DevelopmentKey, within: any Middleware) {
        self.key = key
        self.within = within
    }

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

    /// `{"users":[{"name":"alice","claims":{"role":"editor"},"token":"…"}]}`
    private static func document(signedBy key: DevelopmentKey) async throws -> [UInt8] {
        var listed: [JSONValue] = []
        for (name, claims) in users {
            let token = try await key.token(for: name, claims: claims, seconds: hours * 3600, now: ScreenService.systemTime())
            listed.append(.object([.init("name", .string(name)), .init("claims", .object(claims)), .init("token", .string(token))]))
        }
        var writer = JSONWriter()
        JSONValue.object([.init("users", .array(listed))]).write(to: &writer)
        return writer.bytes
    }
}
