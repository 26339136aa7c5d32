public import ScreenModel
import ScreenWire

/// A field of an action's input. It has a name, a type, and a title that forms show.
///
/// The handler of an action receives the values of the action's fields:
///
///     static let kilograms = Field.integer("kilograms", Text("Weight", fr: "Poids"), in: 1...100_000)
///     … Action("weigh", "Stores the weight of a delivery.", delivery, kilograms) { (screen: Deliveries, request, delivery, kilograms) in
public struct Field<Value: Sendable>: Sendable {
    public internal(set) var declaration: FieldDeclaration
    public var name: String { declaration.name }
    /// The name that a form shows.
    public var title: Text { declaration.title }
    private let read: @Sendable (JSONValue) -> Value?
    /// The value that is used if the field is missing or null in the input, or `nil` if the field is required.
    private var absent: Value?

    /// Creates a field with a closure that reads its values.
    ///
    /// - Parameters:
    ///   - title: The name that a form shows.
    ///   - type: The description of the values in `GET /screens` and in faults.
    ///   - source: The source from which the client takes the value: a form or the cell.
    ///   - read: A function that returns the value of a member of the input, or `nil` if the member is malformed.
    public init(
        _ name: String, _ title: Text, _ type: ValueType, source: FieldDeclaration.Source = .user,
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        declaration = FieldDeclaration(name: name, type: type, source: source, isRequired: true, title: title)
        self.read = read
    }

    /// A copy of this field that may be missing or null in the input.
    public var optional: Field<Value?> {
        var field = Field<Value?>(
            declaration.name, declaration.title, declaration.type, source: declaration.source,
            // Without `map`, a malformed value would result in the valid value `.some(nil)`.
            read: { [read] in read($0).map(Optional.some) }
        )
        field.declaration.isRequired = false
        field.declaration.example = declaration.example
        field.declaration.format = declaration.format
        field.declaration.titles = declaration.titles
        field.absent = .some(nil)
        return field
    }

    /// Returns a copy of this field with an example of a valid value. Without an example, descriptions of the action show a generated
    /// value, which could break a rule of the action.
    public func example(_ value: JSONValue) -> Field {
        var field = self
        field.declaration.example = value
        return field
    }

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

/// A missing or malformed field in an action's input.
public struct InputFault: Error, Hashable {
    public let field: String
    public let cause: Cause

    /// The cause of a fault.
    public enum Cause: Hashable, Sendable {
        case missing(ValueType)
        case malformed(ValueType)
    }
}

/// An error that lists all missing and malformed fields of an action's input. It is thrown before the handler runs.
public struct InputFaults: Error, Hashable {
    public let faults: [InputFault]
}
