import Foundation
public import ScreenWire

// Digits and values, judged by neither the writer nor the reader.

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

extension JSONValue {
    /// Compares two values as Foundation reads them: numbers as numbers, and members in any order.
    func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let a), .number(let b)):
            if let first = Int(a), let second = Int(b) { first == second } else { Double(a) == Double(b) }
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
        case (.object(let a), .object): a.count == other.memberCount && a.allSatisfy { other[$0.name].map($0.value.isSame) ?? false }
        default: self == other
        }
    }

    private var memberCount: Int? {
        if case .object(let members) = self { members.count } else { nil }
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { self = .null }
        else if let value = try? container.decode(Bool.self) { self = .bool(value) }
        else if let value = try? container.decode(Int.self) { self = .int(value) }
        else if let value = try? container.decode(Double.self) { self = .double(value) }
        else if let value = try? container.decode(String.self) { self = .string(value) }
        else if let value = try? container.decode([JSONValue].self) { self = .array(value) }
        else { self = .object(try container.decode([String: JSONValue].self).map { Member($0.key, $0.value) }) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let digits):
            if let number = Int(digits) { try container.encode(number) } else { try container.encode(Double(digits)) }
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members):
            try container.encode(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) }))
        }
    }
}
