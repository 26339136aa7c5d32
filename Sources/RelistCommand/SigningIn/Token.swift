import ArgumentParser
import Foundation
import Logging
import Relist
import ScreenHTTP
import ScreenService
import ScreenWire

#if Tokens
import RelistTokens
#endif

/// The command `relist token`. It signs a development token for a user.
struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign a token for a server that was started with --authentication development.",
        discussion: #"curl -H "Authorization: Bearer $(relist token --user alice)" http://127.0.0.1:8080/screens/settings"#
    )

    @Option(help: "The user, which is the sub of the token.")
    var user: String
    @Option(help: "Another claim of the user, as NAME=TEXT; can be repeated, and a repeated name becomes a list.")
    var claim: [String] = []
    @Option(help: "The number of hours for which the token is valid.")
    var hours = 8
    @Option(.database, help: "The SQLite file of the server, beside which the key is stored")
    var database: Setting<String>

    func validate() throws {
        if user.isEmpty { throw ValidationError("--user is empty.") }
        if user.utf8.count > 255 { throw ValidationError("--user has more than 255 bytes.") }
        if !(1...87_600).contains(hours) { throw ValidationError("--hours is \(hours) but must be from 1 to 87600.") }
        _ = try claims()
    }

    func run() async throws {
        #if Tokens
        do {
            let database = database.value() ?? ""
            try DatabaseURL.refuse(database)
            let key = try DevelopmentKey.open(beside: database)
            let now = ScreenService.systemTime()
            print(try await key.token(for: user, claims: claims(), seconds: Int64(hours) * 3600, now: now))
        } catch {
            throw Self.end(over: error)
        }
        #else
        throw Self.end(over: Tokens.NotBuilt())
        #endif
    }

    private static func end(over error: any Error) -> ExitCode {
        Output.complain(["\(error)"])
        return .failure
    }

    /// Returns the claims from the command line. A name that is given several times occurs once in the result, and its value is a list.
    private func claims() throws -> [JSONValue.Member] {
        var texts: [(name: String, values: [JSONValue])] = []
        for claim in claim {
            let parts = claim.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else { throw ValidationError("--claim is \(claim.quoted) but must be NAME=TEXT.") }
            guard !Self.ownClaims.contains(parts[0]) else { throw ValidationError("--claim cannot be \(parts[0]), which every token has.") }
            if let index = texts.firstIndex(where: { $0.name == parts[0] }) {
                texts[index].values.append(.string(parts[1]))
            } else {
                texts.append((parts[0], [.string(parts[1])]))
            }
        }
        return texts.map { JSONValue.Member($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) }
    }

    /// The names of the claims that `--claim` cannot set.
    private static let ownClaims: Set = ["iss", "sub", "iat", "exp", "nbf", "aud"]
}

/// The token authentication of this program. The program can also be built without it.
enum Tokens {
    /// An error that reports that the program was built without tokens. Tokens are optional, because their cryptography takes
    /// minutes to build.
    struct NotBuilt: Error, CustomStringConvertible {
        let description = "This relist was built without tokens; build it with: swift build -c release --traits Tokens --product relist"
    }

    static let authentication: @Sendable (AuthenticationSettings, Logger) async throws -> any Authenticating = { settings, logger in
        #if Tokens
        try await TokenAuthentication.open(settings, logger: logger)
        #else
        throw NotBuilt()
        #endif
    }
}
