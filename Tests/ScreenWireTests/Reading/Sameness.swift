import Foundation
public import ScreenModel
import ScreenWire

// What values say, judged by neither the writer nor the reader.

extension JSONValue {
    /// Whether it says a value. Members stand in the order of its fields.
    ///
    /// - Parameter areDigits: whether digits are right for a double.
    func says(_ value: InputValue, _ areDigits: (String, Double) -> Bool) -> Bool {
        switch (self, value) {
        case (.null, .null): true
        case (.null, .double(let number)): !number.isFinite
        case (.bool(let read), .bool(let value)): read == value
        case (.number(let digits), .int(let number)): digits == String(number)
        case (.number(let digits), .double(let number)): number.isFinite && areDigits(digits, number)
        case (.string(let read), .string(let text)): Array(read.utf8) == Array(text.utf8)
        case (.array(let read), .array(let values)):
            read.count == values.count && zip(read, values).allSatisfy { $0.says($1, areDigits) }
        case (.object(let members), .object(let fields)):
            members.map { Array($0.name.utf8) } == fields.fields.map { Array($0.key.utf8) }
                && zip(members, fields.fields).allSatisfy { $0.value.says($1.value, areDigits) }
        default: false
        }
    }
}

extension String {
    /// Whether these digits read as a double, as the C library reads them, and no fewer would.
    func isShortest(for number: Double) -> Bool {
        let digits = prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
        let count = digits.count - digits.reversed().prefix { $0 == "0" }.count
        guard strtod(self, nil) == number else { return false }
        // Of all texts with that many digits it is the nearest: if another would do, so would this one.
        return count < 2 || strtod(String(format: "%.\(count - 2)e", number), nil) != number
    }
}

extension InputValue {
    /// Whether both say the same: as JSON they have one kind of number, and none that is not finite.
    func isSame(as other: InputValue) -> Bool {
        switch (self, other) {
        case (.null, .double(let number)): !number.isFinite
        case (.int(let read), .double(let number)): Double(read) == number
        case (.array(let read), .array(let values)): read.count == values.count && zip(read, values).allSatisfy { $0.isSame(as: $1) }
        case (.object(let read), .object(let fields)):
            read.fields.count == fields.fields.count
                && read.fields.allSatisfy { name, value in fields[name].map { value.isSame(as: $0) } ?? false }
        default: self == other
        }
    }
}

extension InputValue {
    /// The same with its keys in the order of their bytes, in which Foundation writes them.
    var withSortedKeys: InputValue {
        switch self {
        case .array(let values): .array(values.map(\.withSortedKeys))
        case .object(let fields):
            .object(
                OrderedFields(
                    fields.fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value.withSortedKeys) }
                )
            )
        default: self
        }
    }
}

extension InputValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { self = .null }
        else if let value = try? container.decode(Bool.self) { self = .bool(value) }
        else if let value = try? container.decode(Int.self) { self = .int(value) }
        else if let value = try? container.decode(Double.self) { self = .double(value) }
        else if let value = try? container.decode(String.self) { self = .string(value) }
        else if let value = try? container.decode([InputValue].self) { self = .array(value) }
        else { self = .object(OrderedFields(try container.decode([String: InputValue].self).map { ($0.key, $0.value) })) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let fields):
            try container.encode(Dictionary(uniqueKeysWithValues: fields.fields.map { ($0.key, $0.value) }))
        }
    }
}
