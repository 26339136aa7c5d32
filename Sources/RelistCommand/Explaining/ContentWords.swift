import ScreenWire

/// The words for contents: which members changed, which cells are meant.
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

    /// The first few ids; a run may be long.
    static func list(_ ids: [String]) -> String {
        let shown = ids.prefix(5).map(\.shown).joined(separator: ", ")
        return ids.count > 5 ? "\(shown) and \(ids.count - 5) more" : shown
    }
}

extension String {
    /// This text as it is, or quoted where it could be taken for something else, or could steer a terminal.
    var shown: String {
        let isPlain = unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.#:+@".unicodeScalars.contains($0)
        }
        return isPlain && !isEmpty ? self : quoted
    }
}
