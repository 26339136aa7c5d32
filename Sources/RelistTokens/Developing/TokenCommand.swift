public import ArgumentParser
import Relist
import ScreenService
import ScreenWire

/// The command `token` of a program: it signs a development token for a user. A program that serves with development authentication
/// has it among its subcommands.
///
/// ```swift
/// @main struct Garden: AsyncParsableCommand {
///     static let configuration = CommandConfiguration(subcommands: [Serve.self, TokenCommand.self], defaultSubcommand: Serve.self)
/// }
/// ```
public struct TokenCommand: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "token",
            abstract: "Sign a token for a server that was started with --authentication development.",
            discussion: #"curl -H "Authorization: Bearer $(\#(programName) token --user alice)" http://127.0.0.1:8080/screens"#
        )
    }

    @Option(help: "The user, which is the sub of the token.")
    var user: String
    @Option(help: "Another claim of the user, as NAME=TEXT; can be repeated, and a repeated name becomes a list.")
    var claim: [String] = []
    @Option(help: "The number of hours for which the token is valid.")
    var hours = 8
    @Option(.database, help: "The SQLite file of the server, beside which the key is stored")
    var database: Setting<String>

    public init() {}

    public func validate() throws {
        if user.isEmpty { throw ValidationError("--user is empty.") }
        if user.utf8.count > 255 { throw ValidationError("--user has more than 255 bytes.") }
        if !(1...87_600).contains(hours) { throw ValidationError("--hours is \(hours) but must be from 1 to 87600.") }
        _ = try claims()
    }

    public func run() async throws {
        do {
            let database = database.value() ?? ""
            try DatabaseURL.refuse(database)
            let key = try DevelopmentKey.open(beside: database)
            let now = ScreenService.systemTime()
            print(try await key.token(for: user, claims: claims(), seconds: Int64(hours) * 3600, now: now))
        } catch {
            throw Self.failure(error)
        }
    }

    /// Returns the claims from the command line. A name that is given several times occurs once in the result, and its value is a list.
    private func claims() throws -> [JSONValue.Member] {
        var texts: [(name: String, values: [JSONValue])] = []
        for claim in claim {
            let parts = claim.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else { throw ValidationError("--claim is \(claim.quoted) but must be NAME=TEXT.") }
            guard !DevelopmentKey.ownClaims.contains(parts[0]) else {
                throw ValidationError("--claim cannot be \(parts[0]), which every token has.")
            }
            if let index = texts.firstIndex(where: { $0.name == parts[0] }) {
                texts[index].values.append(.string(parts[1]))
            } else {
                texts.append((parts[0], [.string(parts[1])]))
            }
        }
        return texts.map { JSONValue.Member($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) }
    }
}
