import ScreenWire

/// A snapshot that a client holds. It applies changesets by the rules of the protocol, and throws an error if a changeset
/// breaks a rule.
///
/// It shares no code with the differ. Two documents that differ only in the order of keys are equal.
struct HeldDocument: Equatable {
    struct Section: Equatable {
        var id: String
        /// The header, the footer and the supplementary views, by their keys.
        var views: [JSONValue.Member]
        var cells: [JSONValue]
    }

    struct Violation: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// All members of the document except `sections`.
    private var head: [JSONValue.Member]
    var sections: [Section]

    init(_ bytes: [UInt8]) throws {
        let document = try JSONReader.read(bytes).sorted
        guard case .object(let members) = document, case .array(let sections)? = document["sections"] else {
            throw Violation("no snapshot")
        }
        head = members.filter { $0.name != "sections" }
        self.sections = try sections.map(Section.init)
    }

    /// The value of the top-level member with this name, or `nil` if there is no such member. The name must not be `sections`.
    subscript(name: String) -> JSONValue? {
        get { head.first { $0.name == name }?.value }
        set {
            let index = head.firstIndex { $0.name >= name } ?? head.endIndex
            let old = head.indices.contains(index) && head[index].name == name ? index..<index + 1 : index..<index
            head.replaceSubrange(old, with: newValue.map { [JSONValue.Member(name, $0)] } ?? [])
        }
    }

    var cells: [JSONValue] { sections.flatMap(\.cells) }
}

extension HeldDocument.Section {
    init(_ section: JSONValue) throws {
        guard case .object(let members) = section, case .string(let id)? = section["id"], case .array(let cells)? = section["cells"] else {
            throw HeldDocument.Violation("no section: \(section)")
        }
        self.init(id: id, views: members.filter { !["id", "cells"].contains($0.name) }, cells: cells)
    }
}

extension JSONValue {
    /// A copy of the value in which the members of all objects are sorted by name.
    var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members): .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        default: self
        }
    }

    /// The value as an integer, or `nil` if the value is not an integer.
    var int: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits)
    }

    var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
