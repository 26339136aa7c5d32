import Testing

@testable import ScreenWire

/// The place and the cause of a fault in a rejected document.
struct Refusal: Equatable, Sendable, CustomTestStringConvertible {
    let pointer: String
    let cause: DocumentFault.Cause

    init(_ pointer: String, _ cause: DocumentFault.Cause) {
        self.pointer = pointer
        self.cause = cause
    }

    var testDescription: String { "\(pointer) \(cause)" }

    /// Returns the faults that a closure throws, or an empty array if it does not throw.
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
