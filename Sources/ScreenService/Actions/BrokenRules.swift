/// Says which rules an action's input breaks. A store keeps nothing of a transaction that throws it.
public struct BrokenRules: Error, Hashable {
    public let rules: [BrokenRule]

    public init(_ rules: [BrokenRule]) {
        self.rules = rules
    }
}

/// Says that well-formed input asks for what must not be.
public struct BrokenRule: Hashable, Sendable {
    /// The field that it is about; nil if it is about no single one.
    public let field: String?
    /// What is wrong and what would be right, for the user, in their language.
    public let detail: String

    public init(field: String? = nil, _ detail: String) {
        self.field = field
        self.detail = detail
    }
}
