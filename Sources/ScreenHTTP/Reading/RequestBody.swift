import HTTPServer
import ScreenService
import ScreenWire

/// What the bodies of requests say, whatever else is in them.
enum RequestBody {
    /// What a body is for.
    enum Purpose: Hashable {
        case changes, action
    }

    /// The greatest length of the body of most actions, in bytes. The input is held as a tree while the action waits and runs, and a tree takes up
    /// to ten times the bytes of its text.
    static let longestAction = 64 * 1024

    /// Returns the greatest length of the body of an action whose texts may have so many characters: each takes at most twelve bytes, as two
    /// escaped halves (RFC 8259, section 7).
    static func longestAction(textLength: Int) -> Int {
        max(longestAction, 12 * textLength + longestAction / 4)
    }

    /// The version in `{"version": "…"}`.
    static func version(in body: [UInt8]) throws(BodyFault) -> String {
        let object = try object(in: body, for: .changes)
        guard let version = object["version"] else { throw BodyFault(purpose: .changes, cause: .noVersion) }
        return try text(version, for: .changes)
    }

    /// Both parts of `{"version"?: "…", "input"?: {…}}`, where null is the same as absent.
    static func action(in body: [UInt8]) throws(BodyFault) -> (version: String?, input: JSONValue) {
        let object = try object(in: body, for: .action)
        let input = present(object["input"]) ?? [:]
        guard case .object = input else {
            throw BodyFault(purpose: .action, cause: .inputNotAnObject(kind: input.kind))
        }
        guard let version = present(object["version"]) else { return (nil, input) }
        return (try text(version, for: .action), input)
    }

    private static func object(in body: [UInt8], for purpose: Purpose) throws(BodyFault) -> JSONValue {
        guard !body.isEmpty else { throw BodyFault(purpose: purpose, cause: .empty) }
        let value: JSONValue
        do { value = try JSONReader.read(body) } catch { throw BodyFault(purpose: purpose, cause: .notJSON(error)) }
        guard case .object = value else { throw BodyFault(purpose: purpose, cause: .notAnObject(kind: value.kind)) }
        return value
    }

    private static func text(_ version: JSONValue, for purpose: Purpose) throws(BodyFault) -> String {
        guard case .string(let text) = version else {
            throw BodyFault(purpose: purpose, cause: .versionNotAString(kind: version.kind))
        }
        return text
    }

    private static func present(_ value: JSONValue?) -> JSONValue? {
        value == .null ? nil : value
    }
}

/// Why a body cannot be used for its purpose.
struct BodyFault: Error, Hashable {
    let purpose: RequestBody.Purpose
    let cause: Cause

    enum Cause: Hashable {
        case empty
        case notJSON(JSONSyntaxError)
        case notAnObject(kind: String)
        case noVersion
        case versionNotAString(kind: String)
        case inputNotAnObject(kind: String)
    }
}

/// The field by which a client says what it has seen.
enum PositionField {
    static let name = "Relist-Position"

    /// Returns the texts that the client sends as tokens, whatever they are.
    static func texts(in headers: Headers) -> [Substring] {
        guard let list = headers.list(of: name) else { return [] }
        return list.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { Substring($0) }
    }
}

/// The key under which a client has one thing done once.
enum IdempotencyKey {
    static let field = "Idempotency-Key"
    static let lengths = 1...255
    /// The minimum number of characters of a key of an anonymous caller. All of them share one space of keys, so a key must not be
    /// guessed: so many characters of Base64 have 128 bits.
    static let anonymousLength = 22

    /// The key as it came; nil if there is none. One that is not UTF-8 could not be told from others.
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
            let detail = "Without a user an \(field) must have at least \(anonymousLength) characters, such as a UUID has: whoever guesses "
                + "it gets the answer to this request."
            throw Problem(kind: .invalidRequest, detail: detail)
        }
        return key
    }

    /// The characters between the quotes, where a client sends the key as a string of structured fields (RFC 8941, section 3.3.3).
    private static func unquoted(_ key: String) -> Substring {
        key.utf8.count >= 2 && key.hasPrefix("\"") && key.hasSuffix("\"") ? key.dropFirst().dropLast() : key[...]
    }
}
