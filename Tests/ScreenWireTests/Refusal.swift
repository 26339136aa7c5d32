@testable import ScreenWire
import Testing

/// A place that a document is refused for, with the cause.
struct Refusal: Equatable, Sendable, CustomTestStringConvertible {
    let pointer: String
    let cause: DocumentFault.Cause

    init(_ pointer: String, _ cause: DocumentFault.Cause) {
        self.pointer = pointer
        self.cause = cause
    }

    var testDescription: String { "\(pointer) \(cause)" }

    /// All that is refused on the way; none if nothing is.
    static func list(_ body: () throws -> some Any) throws -> [Refusal] {
        do {
            _ = try body()
            return []
        } catch let error as DocumentFaults {
            return error.faults.map { Refusal($0.pointer.description, $0.cause) }
        }
    }
}

extension JSONPointer {
    init(_ steps: Step...) { self.init(steps: steps) }
}
