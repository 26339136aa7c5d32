import ScreenModel
public import ScreenWire

/// The Swift types that an app uses for cells and views. Each Swift type is registered under a name, which is the `type` of its cells and
/// views in documents.
///
///     let registry = CellRegistry()
///     registry.register(DeliveryCell.self)
///     if let cell: DeliveryCell = registry.value(of: cell).as(DeliveryCell.self) { … }
///
/// A cell is decoded when its value is needed for the first time. The cell caches the value, so it is not decoded again unless a changeset
/// replaces it. If several registries decode the same cell, the cell caches only the last value.
public final class CellRegistry: Sendable {
    private let lock = Lock()
    /// Protected by `lock`.
    private nonisolated(unsafe) var types: RegisteredTypes
    private let report: (@Sendable (UndecodableCell) -> Void)?

    /// Creates a registry without types.
    ///
    /// - Parameter report: A function that is called for each cell, view or fallback that has a registered type but cannot be decoded. It
    ///   is called on the thread that needs the value.
    public init(report: (@Sendable (UndecodableCell) -> Void)? = nil) {
        types = RegisteredTypes(decoders: [:])
        self.report = report
    }

    /// Registers a type. It replaces a type that is already registered under the same name.
    ///
    /// - Parameter name: The `type` in the document. By default, the name is derived from the name of the Swift type, as the server does
    ///   it: `delivery` for `DeliveryCell`.
    public func register<Value: Decodable & Sendable>(_ type: Value.Type, as name: String? = nil) {
        let name = ExactText(name ?? ReuseIdentifiers.identifier(fromTypeName: String(describing: type)))
        lock.withLock {
            var decoders = types.decoders
            decoders[name] = { try $0.decode(Value.self) }
            types = RegisteredTypes(decoders: decoders)
        }
    }

    /// Returns the value of a cell. The value is decoded from the JSON object of the cell, including the id.
    public func value(of cell: SnapshotTree.Cell) -> CellValue {
        shown(of: cell.object).value
    }

    /// Returns the value of a view. The view is a header, a footer, or the content of a supplementary view.
    public func value(of view: SnapshotTree.View) -> CellValue {
        shown(of: view.object).value
    }

    /// Returns the content that is shown for a cell or a view, with its value.
    func shown(of object: ContentObject) -> ShownContent {
        let types = lock.withLock { self.types }
        let cached = object.cached
        if let decoded = cached as? DecodedValue, decoded.types === types { return decoded.shown }
        let id = object.id.isEmpty ? nil : object.id
        var errors: [UndecodableCell] = []
        let shown = types.shown(of: object.content, type: object.type, id: id, &errors)
        let decoded = DecodedValue(types: types, shown: shown)
        // Two threads can decode a cell at the same time. Only the thread whose value is cached reports the errors.
        let winner = object.cache(decoded, insteadOf: cached)
        guard winner === decoded else { return (winner as? DecodedValue).flatMap { $0.types === types ? $0.shown : nil } ?? shown }
        if let report { for error in errors { report(error) } }
        return shown
    }

    /// Returns a Boolean value that indicates whether the view of the old content can be kept and can show the new content. Both contents
    /// have the same type.
    ///
    /// If the value of the old content was never read, there is no such view. In this case, the result is true, and nothing is decoded.
    func keepsView(_ old: ContentObject, _ new: ContentObject) -> Bool {
        guard let decoded = old.cached as? DecodedValue else { return true }
        return ExactText(decoded.shown.reuseIdentifier) == ExactText(shown(of: new).reuseIdentifier)
    }
}

/// The content that an app shows for a cell or a view: its own content, or the content of a fallback.
struct ShownContent: Sendable {
    let value: CellValue
    /// The JSON object that is shown, or `nil` for a hidden cell.
    let content: JSONValue?
    /// The name of the registered type of the decoded content. If no content was decoded, this is an identifier that no registered type
    /// has.
    let reuseIdentifier: String
}

/// The value of a cell or a view, as an app receives it from a registry.
public enum CellValue: Sendable {
    /// A value of a registered type. If the type of the cell or the view is not registered, or its content cannot be decoded, this is the
    /// value of the fallback.
    case known(any Sendable)
    /// The type is not registered or the content cannot be decoded, and the fallback is to show nothing. A hidden cell keeps its index in
    /// the list.
    case hidden
    /// Neither the content nor a fallback can be decoded, because the types are not registered or do not fit the content.
    case unknown(type: String, JSONValue)

    /// Returns the value as the given type, or `nil` if it is not of this type.
    public func `as`<Value>(_ type: Value.Type = Value.self) -> Value? {
        if case .known(let value) = self { value as? Value } else { nil }
    }

    /// A Boolean value that indicates whether the value is ``hidden``.
    public var isHidden: Bool {
        if case .hidden = self { true } else { false }
    }
}

/// A report about a cell or a view that has a registered type but cannot be decoded.
public struct UndecodableCell: Sendable {
    /// The registered type whose content cannot be decoded. It is the type of the cell or the view, or the type of a fallback.
    public let type: String
    /// The id of the cell, or `nil` for a view.
    public let id: String?
    /// A `DecodingError`, or an error that the type throws.
    public let error: any Error
}

/// An immutable set of registered types. Registering a type creates a new set.
private final class RegisteredTypes: Sendable {
    typealias Decode = @Sendable (JSONValue) throws -> any Sendable

    let decoders: [ExactText: Decode]

    init(decoders: [ExactText: Decode]) {
        self.decoders = decoders
    }

    /// Decodes the content of a cell or a view. If the content cannot be decoded, decodes the fallback.
    func shown(of content: JSONValue, type: String, id: String?, _ errors: inout [UndecodableCell]) -> ShownContent {
        var (view, viewType) = (content, type)
        while true {
            if let decode = decoders[ExactText(viewType)] {
                do {
                    return ShownContent(value: .known(try decode(view)), content: view, reuseIdentifier: viewType)
                } catch {
                    errors.append(UndecodableCell(type: viewType, id: id, error: error))
                }
            }
            // No registered type has this identifier, because the app's views cannot show content that was not decoded.
            let identifier = decoders[ExactText(type)] == nil ? type : type + " undecodable"
            guard let fallback = view["fallback"] else {
                return ShownContent(value: .unknown(type: type, content), content: content, reuseIdentifier: identifier)
            }
            guard case .object(let members) = fallback, case .string(let next) = fallback["type"] else {
                return ShownContent(value: .hidden, content: nil, reuseIdentifier: identifier)
            }
            viewType = next
            view = id.map { .object([JSONValue.Member("id", .string($0))] + members.filter { $0.name != "id" }) } ?? fallback
        }
    }
}

/// A value that was decoded from the content of a cell or a view, together with the types that were registered at that time.
private final class DecodedValue: Sendable {
    let types: RegisteredTypes
    let shown: ShownContent

    init(types: RegisteredTypes, shown: ShownContent) {
        self.types = types
        self.shown = shown
    }
}
