/// A place in a JSON document (RFC 6901), such as `/sections/0/cells/12/id`.
public struct JSONPointer: Hashable, Sendable {
    var steps: [Step] = []

    /// The name of a member or the index of an element.
    enum Step: Hashable, Sendable {
        case name(String)
        case index(Int)
    }

    func appending(_ steps: Step...) -> JSONPointer {
        JSONPointer(steps: self.steps + steps)
    }
}

extension JSONPointer.Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    init(stringLiteral name: String) { self = .name(name) }
    init(integerLiteral index: Int) { self = .index(index) }
}

extension JSONPointer: CustomStringConvertible {
    public var description: String { steps.map { "/\($0.escaped)" }.joined() }
}

extension JSONPointer.Step {
    /// The step with `~` and `/` escaped. Unicode scalars are escaped one by one, because a tilde with a combining accent is one character.
    fileprivate var escaped: String {
        switch self {
        case .index(let index): String(index)
        case .name(let name):
            name.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
        }
    }
}
