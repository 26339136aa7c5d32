extension JSONValue {
    /// Returns a Boolean value that indicates whether two values are equal regardless of the order of members.
    package func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
        case (.object(let a), .object(let b)): Member.areSame(a, b)
        default: self == other
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
        // Objects from the same writer have their members in the same order. This case is frequent and fast to compare.
        if zip(a, b).allSatisfy({ ExactText($0.name) == ExactText($1.name) }) {
            return zip(a, b).allSatisfy { $0.value.isSame(as: $1.value) }
        }
        return MemberChanges(from: a, to: b).isEmpty
    }
}

/// The names of the members in which two objects differ.
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
