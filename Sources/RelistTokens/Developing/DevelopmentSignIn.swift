import HTTPServer
import ScreenHTTP
import ScreenModel
import ScreenService
import ScreenWire

/// Middleware that lets anyone sign in as one of a few development users. `GET /development/users` returns a token for each of these users,
/// except to pages of other origins.
struct DevelopmentSignIn: Middleware {
    static let path = "/development/users"
    static let hours: Int64 = 8

    let users: [DevelopmentUser]
    let key: DevelopmentKey
    /// The middleware that verifies tokens. It receives all requests except requests for the list of development users.
    let within: any Middleware

    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        guard context.request.target == Self.path, context.request.method == "GET", context.request.refusal == nil else {
            return within.reply(to: context, next: next)
        }
        // Browsers send `Origin` with a GET request only for a page of another origin (Fetch, section 3.1). Even with `--allow-origin`, such
        // a page must not act for a user.
        guard context.request.headers["Origin"] == nil else {
            return context.rejected(by: Problem.forbidden("Pages of other origins cannot sign in as development users."))
        }
        return .later { [users, key] in
            let headers: Headers = [
                "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
            ]
            return .response(Response(headers: headers, body: try await Self.document(of: users, signedBy: key)))
        }
    }

    /// Returns a JSON document such as `{"users":[{"name":"alice","claims":{"role":"editor"},"token":"…"}]}`.
    private static func document(of users: [DevelopmentUser], signedBy key: DevelopmentKey) async throws -> [UInt8] {
        var listed: [JSONValue] = []
        for user in users {
            let token = try await key.token(for: user.name, claims: user.members, seconds: hours * 3600, now: ScreenService.systemTime())
            listed.append(["name": .string(user.name), "claims": user.claims, "token": .string(token)])
        }
        return JSONValue.object([.init("users", .array(listed))]).bytes
    }
}

extension DevelopmentUser {
    /// The claims as the members of a JSON object.
    fileprivate var members: [JSONValue.Member] {
        guard case .object(let members) = claims else { return [] }
        return members
    }

    /// Throws one error with all faults of users: names that no token can have, repeated names, and claims that every token has.
    static func check(_ users: [DevelopmentUser]) throws(SettingsFault) {
        var (faults, names): ([String], Set<String>) = ([], [])
        for user in users {
            let name = user.name
            if let fault = TokenRules.fault(ofSubject: name) { faults.append("\(name.quoted) is no name of a user. \(fault.detail)") }
            if !names.insert(name).inserted { faults.append("\(name.quoted) is there twice; remove one.") }
            for claim in user.members.map(\.name) where DevelopmentKey.ownClaims.contains(claim) {
                faults.append("\(name.quoted) cannot have the claim \(claim), which every token has.")
            }
        }
        if !faults.isEmpty { throw SettingsFault(faults.map { "developmentUsers: \($0)" }.joined(separator: "\n")) }
    }
}
