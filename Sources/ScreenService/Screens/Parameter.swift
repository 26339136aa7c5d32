public import ScreenModel
import ScreenWire

/// A query parameter of a screen, with a name, a type and a default value.
///
/// A screen declares its parameters and reads their values from the request:
///
///     static let limit = Parameter.integer("limit", in: 1...1000, default: 20, "How many posts to show.")
///     … request[Self.limit] …                     // an Int
public struct Parameter<Value: Sendable>: ParameterDeclaring {
    public let name: String
    public let title: Text?
    public let summary: Text
    public let type: ValueType
    public let titles: [Text]
    public let defaultText: String?
    public private(set) var exampleText: String?
    public private(set) var format: TextFormat?

    private let defaultValue: Value
    private let parse: @Sendable (String) -> Value?
    // Parsing and formatting are combined in the initializer, which the compiler specializes for the type of the value.
    private let canonicalText: @Sendable (String) -> String?

    /// Creates a parameter with closures that parse and format its values.
    ///
    /// - Parameters:
    ///   - name: The name in the query. The names of ``ProtocolParameter`` are reserved.
    ///   - type: The type of the values, for `GET /screens` and for problems.
    ///   - defaultValue: The value of the parameter if it is missing in the query.
    ///   - parse: A function that returns the value that a text represents, or `nil` if the text is malformed.
    ///   - format: A function that returns the canonical text of a value. Requests with the same canonical texts share a view.
    public init(
        _ name: String, title: Text? = nil, _ type: ValueType, _ summary: Text, titles: [Text] = [],
        default defaultValue: Value, defaultText: String?,
        parse: @escaping @Sendable (String) -> Value?, format: @escaping @Sendable (Value) -> String
    ) {
        self.name = name
        self.title = title
        self.type = type
        self.summary = summary
        self.titles = titles
        self.defaultValue = defaultValue
        self.defaultText = defaultText
        self.parse = parse
        canonicalText = { parse($0).map(format) }
    }

    /// Returns a copy of this parameter with an example of its values, for the OpenAPI document.
    public func example(_ text: String) -> Parameter {
        var parameter = self
        parameter.exampleText = text
        return parameter
    }

    public func canonical(_ text: String) -> String? {
        canonicalText(text)
    }

    func value(of text: String?) -> Value {
        text.flatMap(parse) ?? defaultValue
    }
}

/// A ``Parameter`` with values of any type.
public protocol ParameterDeclaring: Sendable {
    /// The name in the query.
    var name: String { get }
    /// The label of the parameter's input field, or `nil` to use `name` as the label.
    var title: Text? { get }
    /// A sentence that describes the effect of the parameter.
    var summary: Text { get }
    var type: ValueType { get }
    /// The labels of the choices, in the order of the choices, or an empty array to show the choices themselves.
    var titles: [Text] { get }
    /// The text of the default value, or `nil` if the default value has no text.
    var defaultText: String? { get }
    /// The text of an example value, or `nil` if there is no example.
    var exampleText: String? { get }
    /// The purpose of the text, or `nil` if the text has no special purpose.
    var format: TextFormat? { get }

    /// Returns the canonical form of a text, or `nil` if the text is malformed. Texts with the same value have the same canonical form.
    func canonical(_ text: String) -> String?
}

/// The values that a parameter can currently have. They are listed for callers with access to the screen.
///
///     var values: [ParameterValues] {
///         [ParameterValues(of: Self.contract) { _, _ in try await store.read { … } }]
///     }
public struct ParameterValues: Sendable {
    public let parameter: String
    let read: @Sendable (ScreenLocale, Audience) async throws -> [ParameterValue]

    /// Creates the values of a parameter. If `read` throws an error, the parameter is listed without values.
    public init(
        of parameter: any ParameterDeclaring,
        read: @escaping @Sendable (ScreenLocale, Audience) async throws -> [ParameterValue]
    ) {
        self.parameter = parameter.name
        self.read = read
    }
}

/// A value that a parameter can have, with a label.
public struct ParameterValue: Hashable, Content {
    public let value: String
    public let title: String?

    public init(_ value: String, title: String? = nil) {
        self.value = value
        self.title = title
    }

    public static func fields(_ field: inout some FieldVisitor<Self>) {
        field("value", \.value)
        field("title", \.title)
    }
}

/// The names of query parameters that are reserved for the protocol.
public enum ProtocolParameter: String, CaseIterable, Sendable {
    /// The version that the client has.
    case version
    /// The language of the response. It takes precedence over `Accept-Language`.
    case locale
    /// The revision of the screen that the client was built for. The default is the oldest served revision.
    case revision
    /// A position that the client received in the response to an action. If a request has this parameter, the response includes the effects
    /// of that action.
    case position
}

extension Parameter where Value == Int {
    /// Creates a parameter for a whole number within bounds.
    public static func integer(
        _ name: String, title: Text? = nil, in bounds: ClosedRange<Int>, default defaultValue: Int, _ summary: Text
    ) -> Parameter {
        Parameter(
            name, title: title, .integer(bounds), summary, default: defaultValue, defaultText: String(defaultValue),
            parse: { Int($0).flatMap { bounds.contains($0) ? $0 : nil } }, format: { String($0) }
        )
    }
}

extension Parameter where Value == String {
    /// Creates a parameter for a text of at most `limit` Unicode scalars.
    public static func text(
        _ name: String, title: Text? = nil, limit: Int = 100, default defaultValue: String = "", _ summary: Text
    ) -> Parameter {
        Parameter(
            name, title: title, .text(limit: limit), summary, default: defaultValue, defaultText: defaultValue,
            parse: { $0.unicodeScalars.count <= limit ? $0 : nil }, format: { $0 }
        )
    }

    /// Returns a copy of this parameter with a text format, such as `.search` or `.password`, which states the purpose of the text.
    public func format(_ format: TextFormat) -> Parameter {
        var parameter = self
        parameter.format = format
        return parameter
    }
}

extension Parameter where Value == Bool {
    /// Creates a parameter whose value is true or false.
    public static func boolean(
        _ name: String, title: Text? = nil, default defaultValue: Bool = false, _ summary: Text
    ) -> Parameter {
        Parameter(
            name, title: title, .boolean, summary, default: defaultValue, defaultText: String(defaultValue),
            parse: { Bool($0) }, format: { String($0) }
        )
    }
}

extension Parameter {
    /// Creates an optional parameter for a day such as `2018-07-12`.
    public static func date<Day: LosslessStringConvertible & Sendable>(
        _ name: String, title: Text? = nil, _ summary: Text
    ) -> Parameter where Value == Day? {
        optional(name, title: title, .date, summary)
    }

    /// Creates an optional parameter whose values are converted to text and from text.
    public static func optional<Wrapped: LosslessStringConvertible & Sendable>(
        _ name: String, title: Text? = nil, _ type: ValueType, _ summary: Text
    ) -> Parameter where Value == Wrapped? {
        Parameter(
            name, title: title, type, summary, default: nil, defaultText: nil,
            // Without `map`, malformed text would result in the valid value `.some(nil)`.
            parse: { Wrapped($0).map(Optional.some) }, format: { $0?.description ?? "" }
        )
    }
}

extension Parameter where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// Creates a parameter for a choice among the raw values of an enum. `titles` are the labels, in the order of the cases.
    public static func choice(
        _ name: String, title: Text? = nil, default defaultValue: Value, _ summary: Text, titles: [Text] = []
    ) -> Parameter {
        Parameter(
            name, title: title, .choice(Value.allCases.map(\.rawValue)), summary, titles: titles,
            default: defaultValue, defaultText: defaultValue.rawValue,
            parse: { Value.named($0) }, format: { $0.rawValue }
        )
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// Returns the case whose raw value has the same bytes as `text`. In contrast, `init(rawValue:)` compares by canonical equivalence.
    static func named(_ text: String) -> Self? {
        allCases.first { ExactText($0.rawValue) == ExactText(text) }
    }
}
