/// A value that is at hand, or the work that makes it.
///
/// What is asked for most is at hand: whoever can send it at once does, on the thread that asked, and nobody else
/// needs a second function for it.
public enum Eventual<Value: Sendable>: Sendable {
    case now(Value)
    /// Runs each time that it is called.
    case later(@Sendable () async throws -> Value)

    /// The value, once it is there.
    public var value: Value {
        get async throws {
            switch self {
            case .now(let value): value
            case .later(let work): try await work()
            }
        }
    }

    /// Makes another value of it, once it is there.
    @inline(__always)
    public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Eventual<Other> {
        switch self {
        case .now(let value): .now(transform(value))
        case .later(let work): .later { transform(try await work()) }
        }
    }

    /// The same for one who waits no longer than to a deadline; what makes the value is not told. Nil for no bound.
    ///
    /// - Throws: ``DeadlineFault/notComputed``
    @inline(__always)
    func within(_ deadline: Deadline?) -> Eventual {
        guard let deadline, case .later(let work) = self else { return self }
        return .later { try await deadline.value(of: work) { _ in DeadlineFault.notComputed } }
    }

    /// Makes something else of it that may take time as well.
    @inline(__always)
    public func flatMap<Other>(_ transform: @escaping @Sendable (Value) -> Eventual<Other>) -> Eventual<Other> {
        switch self {
        case .now(let value): transform(value)
        case .later(let work): .later { try await transform(try await work()).value }
        }
    }
}
