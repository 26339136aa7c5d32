import ScreenWire

/// Descriptions of changed content and of lists of cells.
enum ContentWords {
    static func change(of name: String, from old: JSONValue?, to new: JSONValue?) -> String? {
        switch (old, new) {
        case (nil, nil): nil
        case (nil, _?): "\(name) added"
        case (_?, nil): "\(name) removed"
        case (let old?, let new?): old.isSame(as: new) ? nil : "\(name) changed (\(changes(from: old, to: new)))"
        }
    }

    static func change(of name: String, from old: [JSONValue], to new: [JSONValue]) -> String? {
        if old.isEmpty && new.isEmpty { return nil }
        if old.isEmpty { return "\(name) added" }
        if new.isEmpty { return "\(name) removed" }
        return JSONValue.array(old).isSame(as: .array(new)) ? nil : "\(name) changed"
    }

    static func changes(from old: JSONValue, to new: JSONValue) -> String {
        guard case .object(let old) = old, case .object(let new) = new else { return "" }
        let changes = MemberChanges(from: old, to: new)
        let added = changes.added.map { "\($0.shown) added" }
        let removed = changes.removed.map { "\($0.shown) removed" }
        return (changes.changed.map(\.shown) + added + removed).joined(separator: ", ")
    }

    /// Returns the first ids of a list, and the number of the other ids.
    static func list(_ ids: [String]) -> String {
        let shown = ids.prefix(5).map(\.shown).joined(separator: ", ")
        return ids.count > 5 ? "\(shown) and \(ids.count - 5) more" : shown
    }
}

extension String {
    /// The text as the terminal shows it. It is quoted if it is empty, or if it contains anything but letters, digits and a few signs.
    var shown: String {
        let isPlain = unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.#:+@".unicodeScalars.contains($0)
        }
        return isPlain && !isEmpty ? self : quoted
    }
}
