public import ScreenModel

extension JSONWriter {
    /// Writes a value as it was read, digits and order of members as they were.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .number(let digits): bytes.append(contentsOf: digits.utf8)
        case .string(let text): write(text)
        case .array(let elements): write(elements)
        case .object(let members):
            write(raw: "{")
            write(members)
            write(raw: "}")
        }
    }

    mutating func write(_ elements: [JSONValue]) {
        write(raw: "[")
        for (index, element) in elements.enumerated() {
            if index > 0 { write(raw: ",") }
            write(element)
        }
        write(raw: "]")
    }

    mutating func write(_ members: [JSONValue.Member]) {
        for member in members { field(member.name, member.value) }
    }

    mutating func field(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        key(name)
        write(value)
    }
}
