public import ScreenModel
import ScreenWire

/// A parameter of a screen: its name in the query string, the values it takes, and its default.
///
/// A screen lists its parameters and reads them from the request:
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
    private let write: @Sendable (Value) -> String

    /// A parameter of a type that has a text for each value.
    ///
    /// - Parameters:
    ///   - name: not one of the protocol's, see ``ProtocolParameter``.
    ///   - title: the name that a form shows; nil for `name`.
    ///   - type: what `GET /screens` and faults say of its values.
    ///   - summary: what it does, in a sentence.
    ///   - titles: the names of its choices, in their order; empty where they have none but themselves.
    ///   - defaultValue: what counts where the query has no such parameter.
    ///   - defaultText: the default as the query would say it; nil where it has no text.
    ///   - parse: the value of a text, nil for a text of another form.
    ///   - format: the one text for a value, so that texts that mean the same share a view.
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
        write = format
    }

    /// The same parameter with a value that it may have, for descriptions of it: not every text leads somewhere.
    public func example(_ text: String) -> Parameter {
        var parameter = self
        parameter.exampleText = text
        return parameter
    }

    public func canonical(_ text: String) -> String? {
        parse(text).map(write)
    }

    func value(of text: String?) -> Value {
        text.flatMap(parse) ?? defaultValue
    }
}

/// A parameter of any type, as the service sees it.
public protocol ParameterDeclaring: Sendable {
    var name: String { get }
    /// The name that a form shows; nil for `name`.
    var title: Text? { get }
    /// The effect of the parameter, in a sentence.
    var summary: Text { get }
    var type: ValueType { get }
    /// The names of its choices, in their order; empty where they have none but themselves.
    var titles: [Text] { get }
    var defaultText: String? { get }
    /// A value that it may have, for descriptions; nil where none is said.
    var exampleText: String? { get }
    /// What its texts are for; nil where they are for nothing special.
    var format: TextFormat? { get }

    /// The one text for all texts that mean the same; nil for a text of another form.
    func canonical(_ text: String) -> String?
}

/// The values that a parameter can have just now, for who chooses one. The list of screens shows them to those who may have the screen.
///
///     var values: [ParameterValues] {
///         [ParameterValues(of: Self.contract) { _, _ in try await store.read { … } }]
///     }
public struct ParameterValues: Sendable {
    public let parameter: String
    let read: @Sendable (ScreenLocale, Audience) async throws -> [ParameterValue]

    /// - Parameter read: reads them for the audience of the screen; where it throws, the parameter is listed without them.
    public init(
        of parameter: any ParameterDeclaring,
        read: @escaping @Sendable (ScreenLocale, Audience) async throws -> [ParameterValue]
    ) {
        self.parameter = parameter.name
        self.read = read
    }
}

/// A value that a parameter can have, and what people call it.
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

/// A name in the query string that belongs to the protocol: no screen has a parameter of that name.
public enum ProtocolParameter: String, CaseIterable, Sendable {
    /// The version that the client holds.
    case version
    /// The language to answer in, instead of the best of `Accept-Language`.
    case locale
    /// The revision of the screen that the client was built for, instead of the oldest that is served.
    case revision
    /// One that an action was answered with: the answer is not from before it.
    case position
}

extension Parameter where Value == Int {
    /// A whole number within bounds.
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
    /// A text of at most `limit` characters.
    public static func text(
        _ name: String, title: Text? = nil, limit: Int = 100, default defaultValue: String = "", _ summary: Text
    ) -> Parameter {
        Parameter(
            name, title: title, .text(limit: limit), summary, default: defaultValue, defaultText: defaultValue,
            parse: { $0.unicodeScalars.count <= limit ? $0 : nil }, format: { $0 }
        )
    }

    /// The same parameter for texts that are for something.
    public func format(_ format: TextFormat) -> Parameter {
        var parameter = self
        parameter.format = format
        return parameter
    }
}

extension Parameter where Value == Bool {
    /// True or false.
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
    /// A day that may be left out, of the type that the caller has for days, such as `2018-07-12`.
    public static func date<Day: LosslessStringConvertible & Sendable>(
        _ name: String, title: Text? = nil, _ summary: Text
    ) -> Parameter where Value == Day? {
        optional(name, title: title, .date, summary)
    }

    /// A value that may be left out, of a type of the caller's that has one text for each value.
    ///
    /// - Parameter type: what `GET /screens` and faults say of its values.
    public static func optional<Wrapped: LosslessStringConvertible & Sendable>(
        _ name: String, title: Text? = nil, _ type: ValueType, _ summary: Text
    ) -> Parameter where Value == Wrapped? {
        Parameter(
            name, title: title, type, summary, default: nil, defaultText: nil,
            // Without `map`, a text of another form would become the value nil instead of none.
            parse: { Wrapped($0).map(Optional.some) }, format: { $0?.description ?? "" }
        )
    }
}

extension Parameter where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of a few words.
    ///
    /// - Parameter titles: the names of the words that a form shows, in their order; empty for the words themselves.
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
    /// The case of that raw value. `init(rawValue:)` takes texts of other bytes, too, that read the same.
    static func named(_ text: String) -> Self? {
        allCases.first { ExactText($0.rawValue) == ExactText(text) }
    }
}
