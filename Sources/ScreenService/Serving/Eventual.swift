/// A value that is available now, or work that produces it. A value that is available now needs no new task.
public enum Eventual<Value: Sendable>: Sendable {
    case now(Value)
    /// Work that runs each time the value is read.
    case later(@Sendable () async throws -> Value)

    /// The value. If it is not available now, reading this property runs the work that produces it.
    public var value: Value {
        get async throws {
            switch self {
            case .now(let value): value
            case .later(let work): try await work()
            }
        }
    }

    /// Returns the result of applying a function to the value.
    @inline(__always)
    public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Eventual<Other> {
        switch self {
        case .now(let value): .now(transform(value))
        case .later(let work): .later { transform(try await work()) }
        }
    }

    /// Returns the same value with a limit on the time of its work. Reading the value throws an error if the work has not ended by the
    /// deadline. Work that other requests share continues past the deadline.
    @inline(__always)
    func within(_ deadline: Deadline?) -> Eventual {
        guard let deadline, case .later(let work) = self else { return self }
        return .later { try await deadline.value(of: work) { _ in DeadlineFault.notComputed } }
    }

    /// Returns the result of applying a function to the value. The function itself returns an eventual value.
    @inline(__always)
    public func flatMap<Other>(_ transform: @escaping @Sendable (Value) -> Eventual<Other>) -> Eventual<Other> {
        switch self {
        case .now(let value): transform(value)
        case .later(let work): .later { try await transform(try await work()).value }
        }
    }
}
