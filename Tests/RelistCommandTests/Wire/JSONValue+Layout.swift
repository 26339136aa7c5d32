import ScreenModel
import ScreenWire

extension JSONValue {
    /// Returns the value as JSON text for human readers. A value that fits on one line is written on one line.
    func lines(indent: String = "") -> String {
        let inner = indent + "  "
        switch self {
        case .array(let elements) where !fits(indent):
            return Self.list("[", elements.map { $0.lines(indent: inner) }, "]", indent)
        case .object(let members) where !fits(indent):
            return Self.list("{", members.map { Self.quoted($0.name) + ": " + $0.value.lines(indent: inner) }, "}", indent)
        default: return line
        }
    }

    private var line: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.line).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ": " + $0.value.line }.joined(separator: ", ") + "}"
        }
    }

    private func fits(_ indent: String) -> Bool { indent.count + line.count <= 120 }

    private static func list(_ opening: String, _ elements: [String], _ closing: String, _ indent: String) -> String {
        opening + "\n" + elements.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)\(closing)"
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.write(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Returns a JSON text without the white space between its values. The function does not use the JSON reader, because the reader is under
/// test.
func withoutLayout(_ text: String) -> String {
    var (isInString, isEscaped) = (false, false)
    var kept: [UInt8] = []
    for byte in text.utf8 {
        if isInString || !" \n".utf8.contains(byte) { kept.append(byte) }
        if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return String(decoding: kept, as: UTF8.self)
}
