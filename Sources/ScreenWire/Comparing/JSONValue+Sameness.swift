extension JSONValue {
    /// Whether both say the same. Members have no order; texts count by their bytes and numbers by
    /// their digits, since both pass through as they are.
    package func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): ExactText(a) == ExactText(b)
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
        case (.object(let a), .object(let b)): Member.areSame(a, b)
        default: false
        }
    }
}

extension JSONValue? {
    package func isSame(as other: JSONValue?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.isSame(as: other)
    }
}

extension JSONValue.Member {
    fileprivate static func areSame(_ a: [JSONValue.Member], _ b: [JSONValue.Member]) -> Bool {
        guard a.count == b.count else { return false }
        // Both mostly come from one writer, and then in one order.
        if zip(a, b).allSatisfy({ ExactText($0.name) == ExactText($1.name) }) {
            return zip(a, b).allSatisfy { $0.value.isSame(as: $1.value) }
        }
        return MemberChanges(from: a, to: b).isEmpty
    }
}

/// The members of an object that differ from those of another.
package struct MemberChanges {
    package private(set) var changed: [String] = []
    package private(set) var added: [String] = []
    package private(set) var removed: [String] = []

    var isEmpty: Bool { changed.isEmpty && added.isEmpty && removed.isEmpty }

    package init(from source: [JSONValue.Member], to target: [JSONValue.Member]) {
        var old: [ExactText: JSONValue] = [:]
        for member in source { old[ExactText(member.name)] = member.value }
        for member in target {
            switch old.removeValue(forKey: ExactText(member.name)) {
            case nil: added.append(member.name)
            case let value?: if !member.value.isSame(as: value) { changed.append(member.name) }
            }
        }
        removed = source.map(\.name).filter { old[ExactText($0)] != nil }
    }
}
