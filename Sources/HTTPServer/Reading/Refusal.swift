/// A reason for which the server rejects a request.
public enum Refusal: Error, Equatable {
    case version
    case requestLine
    case lineEnd
    case fieldName
    case fieldValue
    case host(count: Int)
    case hostName
    case expectation
    case expectationWithoutBody
    case length(count: Int)
    case lengthWithTransferCoding
    case transferCoding
    case unknownTransferCoding
    case chunked
    case transferCodingInHTTP10
    case headTooLong
    case bodyTooLarge(limit: Int)
    case tooManyBodyBytes
    case tooManyBodyBytesOfCaller
    case tooManyConnections
    case tooManyConnectionsOfCaller

    /// The status code: 400, 411, 413, 417, 429, 431, 501 or 503.
    public var status: Int {
        switch self {
        case .bodyTooLarge: 413
        case .chunked: 411
        case .expectation: 417
        case .tooManyBodyBytesOfCaller, .tooManyConnectionsOfCaller: 429
        case .headTooLong: 431
        case .unknownTransferCoding: 501
        case .tooManyBodyBytes, .tooManyConnections: 503
        default: 400
        }
    }

    /// A sentence for the client.
    public var detail: String {
        switch self {
        case .version: "The version is neither HTTP/1.0 nor HTTP/1.1."
        case .requestLine: "The first line is not a method, a target and a version with one blank between them."
        case .lineEnd: "A line of the head does not end with a carriage return and a line feed, or has a zero byte."
        case .fieldName: "A header has no name, or a name with an invalid character. Folded headers are not supported."
        case .fieldValue: "A header's value has a control character."
        case .host(let count): "There must be one Host header, not \(count)."
        case .hostName: "The Host header is not a valid host."
        case .expectation: "The only supported expectation is 100-continue."
        case .expectationWithoutBody: "100-continue is only allowed in a request with a body."
        case .length(let count): "There must be one Content-Length header at most, not \(count)."
        case .lengthWithTransferCoding: "Content-Length and Transfer-Encoding exclude each other."
        case .transferCoding: "Transfer-Encoding is malformed: chunked must be the last coding, appear once, and have no parameters."
        case .unknownTransferCoding: "The transfer coding is not supported; send the body with a Content-Length."
        case .chunked: "Send the body with a Content-Length, not in chunks."
        case .transferCodingInHTTP10: "HTTP/1.0 has no transfer codings."
        case .headTooLong: "The target or the headers are too long, or there are too many headers."
        case .bodyTooLarge(let limit): "The body is larger than \(limit) bytes."
        case .tooManyBodyBytes: "The server has no memory left for request bodies; try again."
        case .tooManyBodyBytesOfCaller: "Your share of the memory for request bodies is used up; try again."
        case .tooManyConnections: "There are too many connections."
        case .tooManyConnectionsOfCaller: "There are too many connections from your address; close some, or use them for more requests."
        }
    }
}
