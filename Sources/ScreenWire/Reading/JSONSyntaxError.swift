/// The place where a text stops being valid JSON, and the cause.
public struct JSONSyntaxError: Error, Hashable {
    /// The offset of the fault in bytes.
    public let offset: Int
    public let cause: Cause

    public enum Cause: Hashable, Sendable {
        /// The text ends within a value.
        case endOfText
        /// The byte is not allowed here.
        case unexpectedByte(UInt8)
        /// The value is followed by text that is not white space.
        case trailingText
        /// The number does not follow the grammar of JSON.
        case invalidNumber
        /// A string contains an escape that JSON does not define.
        case invalidEscape
        /// A string contains an unescaped control character.
        case controlCharacter(UInt8)
        /// A string is not valid UTF-8.
        case invalidUTF8
        /// An object has two members with this name.
        case repeatedName(String)
        /// Arrays and objects are nested more deeply than ``JSONReader/depthLimit``.
        case tooDeep(limit: Int)
        /// The text has more bytes than the limit.
        case tooLong(limit: Int)
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    public var description: String {
        "\(cause) after \(offset) bytes"
    }
}

extension JSONSyntaxError.Cause: CustomStringConvertible {
    public var description: String {
        switch self {
        case .endOfText: "the text ends within a value"
        case .unexpectedByte(let byte): "unexpected \(Self.shown(byte))"
        case .trailingText: "unexpected text behind the value"
        case .invalidNumber: "an invalid number"
        case .invalidEscape: "an invalid escape"
        case .controlCharacter(let byte): "\(Self.shown(byte)) unescaped in a string"
        case .invalidUTF8: "bytes that are not UTF-8"
        case .repeatedName(let name): "a repeated name \"\(name)\" in an object"
        case .tooDeep(let limit): "values nested deeper than \(limit)"
        case .tooLong(let limit): "a text of more than \(limit) bytes"
        }
    }

    private static func shown(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte \(byte)"
    }
}
