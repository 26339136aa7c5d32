public import HTTPServer
public import ScreenService

/// What is known of a request on its way through the layers.
public struct RequestContext: Sendable {
    public var request: Request
    public var caller: Caller
    /// The names of request fields that had a part in the answer, for `Vary` (RFC 9110, section 12.5.5), beside those
    /// that say what is accepted.
    public var decisiveFields: [String]

    public init(_ request: Request, caller: Caller = .nobody, decisiveFields: [String] = []) {
        self.request = request
        self.caller = caller
        self.decisiveFields = decisiveFields
    }
}
