import ScreenWire

/// Declares a parameter of a screen: its name in the query string, its form and its default.
///
/// A screen lists its parameters and reads them from the request:
///
///     static let limit = Parameter.integer("limit", in: 1...1000, default: 20, "How many posts to show.")
///     … request[Self.limit] …                     // an Int
public struct Parameter<Value: Sendable>: ParameterDeclaring {
    public let name: String
    public let summary: String
    public let shape: String
    public let defaultText: String?

    private let defaultValue: Value
    private let parse: @Sendable (String) -> Value?
    private let format: @Sendable (Value) -> String

    /// - Parameters:
    ///   - name: `version` and `locale` belong to the protocol.
    ///   - shape: what a value looks like, to follow "must be": `a date such as 2018-07-12`.
    ///   - summary: what it does, in a sentence.
    ///   - default: what counts where the query has no such parameter.
    ///   - defaultText: the default as the query would say it; nil where it has no text.
    ///   - parse: the value of a text, nil for a text of another form.
    ///   - format: the one text for a value, so that texts that mean the same share a view.
    public init(
        _ name: String, shape: String, _ summary: String, default defaultValue: Value, defaultText: String?,
        parse: @escaping @Sendable (String) -> Value?, format: @escaping @Sendable (Value) -> String
    ) {
        self.name = name
        self.shape = shape
        self.summary = summary
        self.defaultValue = defaultValue
        self.defaultText = defaultText
        self.parse = parse
        self.format = format
    }

    public func canonical(_ text: String) -> String? {
        parse(text).map(format)
    }

    func value(of text: String?) -> Value {
        text.flatMap(parse) ?? defaultValue
    }
}

/// Is a parameter of any type, as the service sees it.
public protocol ParameterDeclaring: Sendable {
    var name: String { get }
    var summary: String { get }
    var shape: String { get }
    var defaultText: String? { get }

    /// The one text for all texts that mean the same; nil for a text of another form.
    func canonical(_ text: String) -> String?
}

extension Parameter where Value == Int {
    /// A whole number within bounds.
    public static func integer(
        _ name: String, in bounds: ClosedRange<Int>, default defaultValue: Int, _ summary: String
    ) -> Parameter {
        Parameter(
            name, shape: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)", summary,
            default: defaultValue, defaultText: String(defaultValue),
            parse: { Int($0).flatMap { bounds.contains($0) ? $0 : nil } }, format: { String($0) }
        )
    }
}

extension Parameter where Value == String {
    /// A text of at most `limit` characters.
    public static func text(
        _ name: String, limit: Int = 100, default defaultValue: String = "", _ summary: String
    ) -> Parameter {
        Parameter(
            name, shape: "a text of at most \(limit) characters", summary, default: defaultValue, defaultText: defaultValue,
            parse: { $0.count <= limit ? $0 : nil }, format: { $0 }
        )
    }
}

extension Parameter {
    /// A value that may be left out, of a type that has one text for each value.
    ///
    /// - Parameter shape: what a value looks like, to follow "must be".
    public static func optional<Wrapped: LosslessStringConvertible & Sendable>(
        _ name: String, shape: String, _ summary: String
    ) -> Parameter where Value == Wrapped? {
        Parameter(
            name, shape: shape, summary, default: nil, defaultText: nil,
            // Without `map`, a text of another form would become the value nil instead of none.
            parse: { Wrapped($0).map(Optional.some) }, format: { $0?.description ?? "" }
        )
    }
}

extension Parameter where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of a few words.
    public static func choice(_ name: String, default defaultValue: Value, _ summary: String) -> Parameter {
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        return Parameter(
            name, shape: "one of \(words)", summary, default: defaultValue, defaultText: defaultValue.rawValue,
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
