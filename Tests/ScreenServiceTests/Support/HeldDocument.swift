import ScreenWire

/// Is a snapshot as a client holds it: parsed, and changed by changesets as the protocol says.
///
/// It knows the design's words alone, nothing of the differ, and refuses whatever breaks a rule.
/// Key order is the only thing in which equal ones may have differed.
struct HeldDocument: Equatable {
    struct Section: Equatable {
        var id: String
        /// Header, footer and supplementary views, by their keys.
        var views: [JSONValue.Member]
        var cells: [JSONValue]
    }

    struct Violation: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// All members of the document but the sections.
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

    /// What the document says under a name, besides its sections.
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
    /// The value with the members of all objects in the order of their names.
    var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members): .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        default: self
        }
    }

    /// The whole number that this is.
    var int: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits)
    }

    var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
