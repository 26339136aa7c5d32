import ArgumentParser
import Logging
import Relist
import ScreenHTTP

#if Tokens
import RelistTokens
#endif

/// The token authentication of this program. The program can also be built without it.
enum Tokens {
    /// An error that reports that the program was built without tokens. Tokens are optional, because their cryptography takes
    /// minutes to build.
    struct NotBuilt: Error, CustomStringConvertible {
        let description = "This relist was built without tokens; build it with: swift build -c release --traits Tokens --product relist"
    }

    /// The command `relist token`.
    static var command: any ParsableCommand.Type {
        #if Tokens
        TokenCommand.self
        #else
        MissingCommand.self
        #endif
    }

    static let authentication: @Sendable (AuthenticationSettings, Logger) async throws -> any Authenticating = { settings, logger in
        #if Tokens
        try await TokenAuthentication.open(settings, logger: logger)
        #else
        throw NotBuilt()
        #endif
    }
}

#if !Tokens
/// The command `relist token` of a program that was built without tokens. It reports how to build the program with tokens.
private struct MissingCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "token", abstract: "Sign a token, if the program is built with tokens.")

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []

    func run() throws { throw Self.failure(Tokens.NotBuilt()) }
}
#endif
