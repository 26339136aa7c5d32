import Foundation
public import ScreenWire

// Comparisons that use neither the JSON writer nor the JSON reader.

extension String {
    /// Returns a Boolean value that indicates whether this text represents `number`, and no text with fewer digits represents it. The C
    /// function `strtod` converts the texts to numbers.
    func isShortest(for number: Double) -> Bool {
        let digits = prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
        let count = digits.count - digits.reversed().prefix { $0 == "0" }.count
        guard strtod(self, nil) == number else { return false }
        // The formatted text has one digit fewer than this text. No other text with so few digits is nearer to `number`. So if the
        // formatted text does not represent `number`, no text with fewer digits than this text does.
        return count < 2 || strtod(String(format: "%.\(count - 2)e", number), nil) != number
    }
}

extension JSONValue {
    /// Returns a Boolean value that indicates whether two values are equal. Numbers are compared by their value. The order of members is
    /// ignored. These rules are necessary, because Foundation preserves neither the digits of numbers nor the order of members.
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

extension JSONValue: Encodable {
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
