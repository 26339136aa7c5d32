import ScreenModel
import ScreenWire

/// The JSON that a value is written as.
func written(_ value: some ContentValue) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// The JSON of a value that was read, digits as they were.
func written(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): written(value)
    case .number(let digits): digits
    case .string(let text): written(text)
    case .array(let elements): "[\(elements.map(written).joined(separator: ","))]"
    case .object(let members):
        "{\(members.map { "\(written($0.name)):\(written($0.value))" }.joined(separator: ","))}"
    }
}
