/// Keeps a response in the form in which the library sends it, to be sent any number of times.
///
/// Whoever caches what is asked for often keeps one of these: answering with it allocates
/// nothing, on any event loop and on several at once.
public final class PreparedResponse: Sendable {
    /// What it was made of.
    public let response: Response
    let native: NativeResponse

    public init(_ response: Response) {
        self.response = response
        native = NativeResponse(response)
    }
}
