import HTTPServer
import ScreenHTTP
import ScreenService

/// The layer that finds who asks in the field `Authorization`. Without one of the scheme `Bearer`, nobody is known to ask.
struct TokenLayer: Middleware {
    let verifier: TokenVerifier

    private static let field = "Authorization"
    // One for all requests, that none allocates it.
    private static let fields = [field]

    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        context.decisiveFields = context.decisiveFields.isEmpty ? Self.fields : context.decisiveFields + Self.fields
        // What the server refuses by itself is not worth verifying for.
        guard context.request.refusal == nil, let value = context.request.headers.list(of: Self.field) else { return next(context) }
        if let caller = verifier.known(by: value) {
            context.caller = caller
            return next(context)
        }
        guard context.request.headers.values(of: Self.field).count == 1 else { return context.refused(by: Self.fault(of: TokenFault.severalFields)) }
        guard BearerField.isMeant(by: value) else { return next(context) }
        let kept = context
        return .preceded { [verifier] in
            do {
                var context = kept.copy()
                context.caller = try await verifier.caller(by: value)
                return next(context)
            } catch {
                return kept.refused(by: Self.fault(of: error))
            }
        }
    }

    private static func fault(of error: any Error) -> any Error {
        switch error {
        case let fault as TokenFault: CredentialsFault.refused(fault.detail)
        case is KeysMissing: CredentialsFault.unverifiable("The key that the token names is not known, and the keys cannot be had now; try again.")
        default: error
        }
    }
}
