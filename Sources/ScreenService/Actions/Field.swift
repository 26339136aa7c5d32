public import ScreenModel
import ScreenWire

/// A field of an action's input: its name, the values it takes, and what a form calls it.
///
/// A screen lists the fields of its actions, and the action receives their values:
///
///     static let kilograms = Field.integer("kilograms", Text("Weight", fr: "Poids"), in: 1...100_000)
///     … Action("weigh", "Says what a delivery weighs.", delivery, kilograms) { (screen: Deliveries, request, delivery, kilograms) in
public struct Field<Value: Sendable>: Sendable {
    public internal(set) var declaration: FieldDeclaration
    public var name: String { declaration.name }
    /// The name that a form shows.
    public var title: Text { declaration.title }
    private let read: @Sendable (JSONValue) -> Value?
    /// The value where the input has none; nil where it must have one.
    private var absent: Value?

    /// - Parameters:
    ///   - title: the name that a form shows.
    ///   - type: what `GET /screens` and faults say of its values.
    ///   - read: the value of what JSON says, nil for what has another form.
    public init(
        _ name: String, _ title: Text, _ type: ValueType, source: FieldDeclaration.Source = .user,
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        declaration = FieldDeclaration(name: name, type: type, source: source, isRequired: true, title: title)
        self.read = read
    }

    /// The same field where it may be left out, or be null.
    public var optional: Field<Value?> {
        var field = Field<Value?>(
            declaration.name, declaration.title, declaration.type, source: declaration.source,
            // Without `map`, a value of another form would become the value nil instead of none.
            read: { [read] in read($0).map(Optional.some) }
        )
        field.declaration.isRequired = false
        field.declaration.example = declaration.example
        field.declaration.format = declaration.format
        field.absent = .some(nil)
        return field
    }

    /// The same field with a value that it may have, for descriptions of it: not every value keeps the rules.
    public func example(_ value: JSONValue) -> Field {
        var field = self
        field.declaration.example = value
        return field
    }

    /// The value that an action's input has for it.
    func value(in input: JSONValue) throws(InputFault) -> Value {
        let given = input[declaration.name] ?? .null
        if given == .null {
            guard let absent else { throw InputFault(field: declaration.name, cause: .missing(declaration.type)) }
            return absent
        }
        guard let value = read(given) else {
            throw InputFault(field: declaration.name, cause: .malformed(declaration.type))
        }
        return value
    }
}

/// A fault in the form of a field of an action's input.
public struct InputFault: Error, Hashable {
    public let field: String
    public let cause: Cause

    /// With what the field takes.
    public enum Cause: Hashable, Sendable {
        case missing(ValueType)
        case malformed(ValueType)
    }
}

/// All faults in the form of an action's input. Nothing was done.
public struct InputFaults: Error, Hashable {
    public let faults: [InputFault]
}
