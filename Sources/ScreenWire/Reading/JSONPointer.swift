/// A place in a JSON document, as RFC 6901 writes it: `/sections/0/cells/12/id`.
public struct JSONPointer: Hashable, Sendable {
    var steps: [Step] = []

    /// A step from a value into a part of it.
    enum Step: Hashable, Sendable {
        case name(String)
        case index(Int)
    }

    /// Returns the place of a part of the value at this place.
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
    /// Scalar by scalar: as a character, a tilde with an accent on it is no tilde.
    fileprivate var escaped: String {
        switch self {
        case .index(let index): return String(index)
        case .name(let name):
            var escaped = String.UnicodeScalarView()
            for scalar in name.unicodeScalars {
                switch scalar {
                case "~": escaped.append(contentsOf: "~0".unicodeScalars)
                case "/": escaped.append(contentsOf: "~1".unicodeScalars)
                default: escaped.append(scalar)
                }
            }
            return String(escaped)
        }
    }
}
