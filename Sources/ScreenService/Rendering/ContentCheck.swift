import ScreenModel
import ScreenWire
import Synchronization

/// The checks of the content of screens in debug builds.
final class ContentCheck: Sendable {
    /// The names of the JSON members that the protocol defines for both cells and views.
    private static let reservedNames: Set<String> = ["type", "size", "fallback", "action", "actions", "link"]

    /// The names of Swift types, by the name of the screen and by the `type` on the wire.
    private let known = Mutex<[String: [String: String]]>([:])

    /// Checks the fields, types, fallbacks and sizes of cells and views.
    func check(_ contents: [any ViewContent], of screen: String, in frame: Size?) throws(ContentFaults) {
        var faults: [ContentFaults.Fault] = []
        for view in contents {
            let found =
                fieldFaults(of: view, isCell: view is any CellContent) + typeFaults(of: view, screen)
                + fallbackFaults(of: view, screen) + sizeFaults(of: view, in: frame)
            faults += found.filter { !faults.contains($0) }
        }
        if !faults.isEmpty { throw ContentFaults(screen: screen, faults: faults) }
    }

    /// Checks that a screen lists the types of its cells and views, and the actions that these offer.
    func check(_ contents: [any ViewContent], areListedBy screen: any Screen) throws(ContentFaults) {
        var faults: [ContentFaults.Fault] = []
        let (cellTypes, viewTypes) = (type(of: screen).shownCellTypes, type(of: screen).shownViewTypes)
        let actions = Set(screen.actions.map(\.name))
        for view in contents {
            let (shown, name) = (view.innermost, Self.name(of: view.innermost))
            let listed = view is any CellContent ? cellTypes : viewTypes
            if let listed, !listed.contains(where: { $0 == type(of: shown) }) { faults.append(.unlistedType(name)) }
            if !type(of: shown).reuseIdentifiers.contains(shown.reuseIdentifier) {
                faults.append(.unlistedIdentifier(shown.reuseIdentifier, of: name))
            }
            let offered = Set((view.selection?.action.map { [$0.name] } ?? []) + view.actions.map(\.name))
            faults += offered.subtracting(actions).sorted().map { .unlistedAction($0, of: name) }
            if !faults.isEmpty { throw ContentFaults(screen: type(of: screen).name, faults: faults) }
        }
    }

    /// Checks that a snapshot with copied cells equals a rendering of the same content without copied cells.
    func check(
        _ rendered: RenderedSnapshot, of content: ScreenContent<some RenderableModel>, _ view: ScreenView, hash: ContentHash
    ) throws(ContentFaults) {
        if rendered.copiedCount == 0 { return }
        let fresh = SnapshotWriter.render(
            content, of: view.screen, for: view.audience, withholding: view.withheldActions, hash: hash
        )
        guard fresh.version != rendered.version else { return }
        throw ContentFaults(screen: view.screen, faults: [.unequalCells])
    }

    /// Returns the faults of the fallback of a view. Every client must know the `type` of a fallback, so a fallback has no fallback itself.
    private func fallbackFaults(of view: any ViewContent, _ screen: String) -> [ContentFaults.Fault] {
        guard case .view(let fallback)? = view.fallback else { return [] }
        let faults = fieldFaults(of: fallback, isCell: view is any CellContent) + typeFaults(of: fallback, screen)
        if fallback.fallback == nil { return faults }
        return faults + [.fallbackOfFallback(Self.name(of: fallback.innermost), of: Self.name(of: view.innermost))]
    }

    private func sizeFaults(of view: any ViewContent, in frame: Size?) -> [ContentFaults.Fault] {
        frame == nil && view.innermost is any Sized ? [.sizeWithoutFrame(Self.name(of: view.innermost))] : []
    }

    /// Returns the faults of the fields of a view. A cell and the fallback of a cell (`isCell`) have an id, so they must not write a field
    /// `id`.
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

    /// Returns the actions and the link of a view as JSON. Their names must be checked, because a screen chooses the names of members in an
    /// action's input and of parameters in a link.
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

    /// Returns a fault if the identifier of a view is derived from its Swift type, and another type of the screen has the same identifier.
    /// Types that declare their `reuseIdentifier` explicitly may share it.
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

    /// Returns the qualified name of a view's Swift type, without generic arguments.
    private static func name(of view: any ViewContent) -> String {
        var (depth, previous) = (0, Character(" "))
        return String(reflecting: type(of: view)).filter { character in
            if character == "<" { depth += 1 }
            defer {
                // The `>` of `->` does not close a generic argument list.
                if character == ">", previous != "-" { depth -= 1 }
                previous = character
            }
            return depth == 0
        }
    }
}

extension ViewContent {
    /// If this view is a variant, the innermost view that it contains. Otherwise, this view itself.
    fileprivate var innermost: any ViewContent { (self as? any ViewVariant)?.view.innermost ?? self }
}

extension JSONValue {
    fileprivate var names: [String] {
        if case .object(let members) = self { members.map(\.name) } else { [] }
    }

    fileprivate var namesWithDollar: [String] {
        switch self {
        case .object(let members): reservedNames + members.flatMap(\.value.namesWithDollar)
        case .array(let elements): elements.flatMap(\.namesWithDollar)
        default: []
        }
    }

    /// The names that begin with a dollar sign, except for `$date` in a date of the protocol.
    private var reservedNames: [String] {
        let reserved = names.filter { $0.utf8.first == UInt8(ascii: "$") }
        return reserved.isEmpty || LiveDate(self) == nil ? reserved : reserved.filter { $0 != "$date" }
    }
}
