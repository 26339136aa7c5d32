/// The reason why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Hashable {
    /// The number of bytes of the text before the fault.
    public let offset: Int
    public let cause: Cause

    public enum Cause: Hashable, Sendable {
        case endOfText
        case unexpectedByte(UInt8)
        /// Something follows the value.
        case trailingText
        case invalidNumber
        case invalidEscape
        /// A control character stands unescaped in a string.
        case controlCharacter(UInt8)
        case invalidUTF8
        case repeatedName(String)
        /// Arrays and objects are nested deeper than the reader goes.
        case tooDeep(limit: Int)
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
        case .trailingText: "something follows the value"
        case .invalidNumber: "a number that is not one in JSON"
        case .invalidEscape: "an escape that JSON does not have"
        case .controlCharacter(let byte): "\(Self.shown(byte)) unescaped in a string"
        case .invalidUTF8: "bytes that are not UTF-8"
        case .repeatedName(let name): "the name \"\(name)\" a second time in one object"
        case .tooDeep(let limit): "values nested deeper than \(limit)"
        }
    }

    private static func shown(_ byte: UInt8) -> String {
        (0x21...0x7E).contains(byte) ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte \(byte)"
    }
}
