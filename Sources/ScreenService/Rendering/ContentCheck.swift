import ScreenModel
import ScreenWire
import Synchronization

/// A check of all that screens show, before it is rendered in a debug build.
final class ContentCheck: Sendable {
    /// What means the same in each cell and view, or will.
    private static let reservedNames: Set<String> = ["type", "size", "fallback", "action", "actions", "link"]

    /// For each screen the Swift types by the `type` that follows from their names: two that are never shown
    /// together are still told apart by clients.
    private let known = Mutex<[String: [String: String]]>([:])

    /// - Throws: all faults at once.
    func check(_ contents: [any ViewContent], of screen: String) throws(ContentFaults) {
        var faults: [ContentFaults.Fault] = []
        for view in contents {
            let found = fieldFaults(of: view) + typeFaults(of: view, screen) + fallbackFaults(of: view, screen)
            faults += found.filter { !faults.contains($0) }
        }
        if !faults.isEmpty { throw ContentFaults(screen: screen, faults: faults) }
    }

    /// Looks whether a screen lists what it shows, as descriptions of it say.
    func check(_ contents: [any ViewContent], areListedBy screen: any Screen.Type) throws(ContentFaults) {
        var faults: [ContentFaults.Fault] = []
        let (cellTypes, viewTypes) = (screen.shownCellTypes, screen.shownViewTypes)
        for view in contents {
            let (shown, name) = (view.innermost, Self.name(of: view.innermost))
            let listed = view is any CellContent ? cellTypes : viewTypes
            if let listed, !listed.contains(where: { $0 == type(of: shown) }) { faults.append(.unlistedType(name)) }
            if !type(of: shown).reuseIdentifiers.contains(shown.reuseIdentifier) {
                faults.append(.unsaidType(shown.reuseIdentifier, of: name))
            }
            if !faults.isEmpty { throw ContentFaults(screen: screen.name, faults: faults) }
        }
    }

    /// Looks whether what was taken over from what a view showed before is as it would be written.
    func check(
        _ rendered: RenderedSnapshot, of content: ScreenContent<some RenderableModel>, _ view: ScreenView, hash: ContentHash
    ) throws(ContentFaults) {
        if rendered.takenOverCount == 0 { return }
        let anew = SnapshotWriter.render(content, of: view.screen, for: view.audience, hash: hash)
        guard anew.version != rendered.version else { return }
        throw ContentFaults(screen: view.screen, faults: [.unequalCells])
    }

    /// Every client knows the type of a fallback: so whoever gives it one of its own is mistaken in one of the two.
    private func fallbackFaults(of view: any ViewContent, _ screen: String) -> [ContentFaults.Fault] {
        guard case .view(let fallback)? = view.fallback else { return [] }
        let faults = fieldFaults(of: fallback, isCell: view is any CellContent) + typeFaults(of: fallback, screen)
        if fallback.fallback == nil { return faults }
        return faults + [.fallbackOfFallback(Self.name(of: fallback.innermost), of: Self.name(of: view.innermost))]
    }

    private func fieldFaults(of view: any ViewContent) -> [ContentFaults.Fault] {
        fieldFaults(of: view, isCell: view is any CellContent)
    }

    /// - Parameter isCell: whether it is shown under the id of a cell.
    private func fieldFaults(of view: any ViewContent, isCell: Bool) -> [ContentFaults.Fault] {
        var writer = JSONWriter()
        writer.writeObject { view.writeFields(to: &$0) }
        let type = Self.name(of: view.innermost)
        do {
            let fields = try JSONReader.read(writer.bytes)
            let names = fields.names.filter { Self.reservedNames.contains($0) || ($0 == "id" && isCell) }
            let offered = try JSONReader.read(Self.offers(of: view))
            return (names + fields.namesWithDollar + offered.namesWithDollar).map { .reservedField($0, of: type) }
        } catch {
            return [.unreadableFields(error.cause, of: type)]
        }
    }

    /// What can be done with a view, whose inputs and parameters are the screen's own.
    private static func offers(of view: any ViewContent) -> [UInt8] {
        var writer = JSONWriter()
        let selection = view.selection
        writer.writeObject {
            $0.field("action", selection?.action)
            $0.field("actions", view.actions)
            $0.field("link", selection?.link)
        }
        return writer.bytes
    }

    /// A type that states its `reuseIdentifier` means it, also where another has the same.
    private func typeFaults(of view: any ViewContent, _ screen: String) -> [ContentFaults.Fault] {
        let (type, shown) = (view.reuseIdentifier, view.innermost)
        guard type == ReuseIdentifiers.shared.identifier(of: Swift.type(of: shown)) else { return [] }
        let name = Self.name(of: shown)
        let first = known.withLock { known in
            let first = known[screen]?[type] ?? name
            known[screen, default: [:]][type] = first
            return first
        }
        return first == name ? [] : [.sharedType(type, of: first, and: name)]
    }

    /// The name of a view's Swift type with its module, without generic arguments: with all of them it has one `type`.
    private static func name(of view: any ViewContent) -> String {
        var (depth, previous) = (0, Character(" "))
        return String(reflecting: type(of: view)).filter { character in
            if character == "<" { depth += 1 }
            defer {
                // The arrow of a function closes nothing.
                if character == ">", previous != "-" { depth -= 1 }
                previous = character
            }
            return depth == 0
        }
    }
}

extension ViewContent {
    /// The view itself, or the one that it is a variant of.
    fileprivate var innermost: any ViewContent { (self as? any ViewVariant)?.view.innermost ?? self }
}

extension JSONValue {
    fileprivate var names: [String] {
        if case .object(let members) = self { members.map(\.name) } else { [] }
    }

    /// The names that begin with `$`, however deep.
    fileprivate var namesWithDollar: [String] {
        switch self {
        case .object(let members): names.filter { $0.utf8.first == UInt8(ascii: "$") } + members.flatMap(\.value.namesWithDollar)
        case .array(let elements): elements.flatMap(\.namesWithDollar)
        default: []
        }
    }
}
