import HTTPServer
import ScreenHTTP
import ScreenService

/// Middleware that authenticates callers by the token in `Authorization`. The caller is anonymous if the request has no `Authorization`, or
/// if its scheme is not `Bearer`.
struct TokenLayer: Middleware {
    let verifier: TokenVerifier

    private static let field = "Authorization"
    // The array is a constant, so that it is not allocated for each request.
    private static let fields = [field]

    func reply(to context: consuming RequestContext, next: @escaping Next) -> Reply {
        context.varyFields = context.varyFields.isEmpty ? Self.fields : context.varyFields + Self.fields
        guard context.request.refusal == nil, let value = context.request.headers.list(of: Self.field) else { return next(context) }
        if let caller = verifier.cachedCaller(for: value) {
            context.caller = caller
            return next(context)
        }
        guard context.request.headers.values(of: Self.field).count == 1 else { return context.rejected(by: Self.fault(.severalFields)) }
        guard BearerField.hasBearerScheme(value) else { return next(context) }
        let original = context
        return .deferred { [verifier] in
            do {
                var context = original.copy()
                context.caller = try await verifier.caller(for: value)
                return next(context)
            } catch {
                return original.rejected(by: (error as? TokenFault).map(Self.fault) ?? error)
            }
        }
    }

    private static func fault(_ fault: TokenFault) -> any Error { CredentialsFault.refused(fault.detail) }
}
