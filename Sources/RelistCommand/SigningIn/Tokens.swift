import Logging
import Relist
import ScreenHTTP

#if Tokens
import RelistTokens
#endif

/// What this program does with tokens, where it was built with them.
enum Tokens {
    /// How to have a program that takes tokens. Their cryptography takes minutes to build, which who only looks around is spared.
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
