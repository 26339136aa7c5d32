import HTTPServer
import ScreenService
import ScreenWire

/// Functions that parse request bodies. Unknown members of a body are ignored.
enum RequestBody {
    enum Purpose: Hashable {
        case changes, action
        /// A body for a team's route, of this media type.
        case own(String)
    }

    /// The maximum size in bytes of the body of most actions. It is limited because the parsed input stays in memory while the action waits
    /// and runs. The parsed input takes up to ten times the size of its text.
    static let actionLimit = 64 * 1024

    /// Returns the maximum size in bytes of the body of an action whose texts together have at most `textLength` characters. A character
    /// takes at most twelve bytes, because it can be written as an escaped surrogate pair (RFC 8259, section 7).
    static func actionLimit(textLength: Int) -> Int {
        max(actionLimit, 12 * textLength + actionLimit / 4)
    }

    /// Returns the version in `{"version": "…"}`.
    static func version(in body: [UInt8]) throws(Problem) -> String {
        let object = try object(in: body, for: .changes)
        guard let version = object["version"] else { throw Purpose.changes.problem("The body has no version.", at: "version", "a string") }
        return try text(version, for: .changes)
    }

    /// Returns the version and the input in `{"version"?: "…", "input"?: {…}}`. A member that is null is treated as absent.
    static func action(in body: [UInt8]) throws(Problem) -> (version: String?, input: JSONValue) {
        let object = try object(in: body, for: .action)
        let input = present(object["input"]) ?? [:]
        guard case .object = input else {
            throw Purpose.action.problem("The input is \(input.kind), not an object.", at: "input", "an object")
        }
        guard let version = present(object["version"]) else { return (nil, input) }
        return (try text(version, for: .action), input)
    }

    private static func object(in body: [UInt8], for purpose: Purpose) throws(Problem) -> JSONValue {
        guard !body.isEmpty else { throw purpose.problem("The body is empty.") }
        let value: JSONValue
        do { value = try JSONReader.read(body) } catch { throw purpose.problem("The body is not JSON: \(error).") }
        guard case .object = value else { throw purpose.problem("The body is \(value.kind), not an object.") }
        return value
    }

    private static func text(_ version: JSONValue, for purpose: Purpose) throws(Problem) -> String {
        guard case .string(let text) = version else {
            throw purpose.problem("The version is \(version.kind), not a string.", at: "version", "a string")
        }
        return text
    }

    private static func present(_ value: JSONValue?) -> JSONValue? {
        value == .null ? nil : value
    }
}

extension RequestBody.Purpose {
    /// Returns the problem of an invalid body, or of an invalid member whose type must be `type`, such as `a string`.
    fileprivate func problem(_ detail: String, at member: String? = nil, _ type: String = "") -> Problem {
        let example =
            switch self {
            case .changes: #"Send {"version": "…"} with the version that you hold; to begin, GET the screen."#
            case .own: ""
            case .action: #"Send {"version": "…", "input": {…}} with the version that you hold, if you hold one."#
            }
        let errors = member.map { [ProblemDocument.Fault(at: .pointer("/\($0)"), "It must be \(type).")] }
        return Problem(kind: .invalidBody, detail: "\(detail) \(example)", errors: errors ?? [])
    }
}

/// The header field `Relist-Position`. In a request, it has the last position that the client has seen.
enum PositionField {
    static let name = "Relist-Position"

    /// Returns the elements of all fields `Relist-Position`. They are separated by commas or blanks. Each element can be a token of this
    /// service or any other text.
    static func texts(in headers: Headers) -> [Substring] {
        guard let list = headers.list(of: name) else { return [] }
        return list.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { Substring($0) }
    }
}

/// The header field `Idempotency-Key`. If several requests for an action have the same key, the action is performed at most once.
enum IdempotencyKey {
    static let field = "Idempotency-Key"
    static let lengths = 1...255
    /// The minimum number of characters of an anonymous caller's key. The keys of different anonymous callers are not kept apart, so a key
    /// must be hard to guess. 22 characters of Base64 have 128 bits.
    static let anonymousLength = 22

    /// Returns the key exactly as the client sent it, or nil if the request has no key. A key that is not UTF-8 is invalid, because
    /// different keys of this kind would decode to the same text.
    static func read(from headers: Headers, of caller: Caller) throws(Problem) -> String? {
        let values = headers.values(of: field)
        guard let key = values.first else { return nil }
        guard values.count == 1, lengths.contains(key.utf8.count), !key.unicodeScalars.contains("\u{FFFD}") else {
            let detail = "Send one \(field) of \(lengths.lowerBound) to \(lengths.upperBound) bytes of UTF-8, such as a UUID."
            throw Problem(kind: .invalidRequest, detail: detail)
        }
        let count = unquoted(key).unicodeScalars.count
        if count == 0 { throw Problem(kind: .invalidRequest, detail: "The \(field) is empty; send one such as a UUID.") }
        if caller.user == nil, count < anonymousLength {
            let detail =
                "Without a user an \(field) must have at least \(anonymousLength) characters, such as a UUID: a caller who guessed it "
                + "would receive the response to this request."
            throw Problem(kind: .invalidRequest, detail: detail)
        }
        return key
    }

    /// Returns a key without the quotes of a string (RFC 8941, section 3.3.3).
    private static func unquoted(_ key: String) -> Substring {
        key.utf8.count >= 2 && key.hasPrefix("\"") && key.hasSuffix("\"") ? key.dropFirst().dropLast() : key[...]
    }
}
