/// The reason why there is no complete response.
public enum HTTPClientError: Error, Hashable {
    case invalidRequest(HTTPRequest.Fault)
    /// The client already has the maximum number of transfers, or the system has no memory, thread or descriptor for another one.
    case exhausted
    /// The name of the server has no address, or no connection was established.
    case unreachable
    /// TLS failed. The usual reason is a certificate that is not trusted.
    case tls
    case timedOut(Timeout)
    /// The connection ended, or the server sent something other than HTTP, before the response was complete.
    case incomplete
    /// The head of the response has more than 64 KiB or 256 lines, or the body exceeds the limit.
    case tooLarge
    /// The task was cancelled, or the client was deinitialized.
    case cancelled

    public enum Timeout: Hashable, Sendable {
        /// The connection was not established in time.
        case connect
        /// The response was not complete in time.
        case response
        /// No byte of a stream arrived in time.
        case idle
    }
}
