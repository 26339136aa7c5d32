/// A value that is available now, or work that produces it.
///
/// A function can return either case. Therefore a cached response can be sent immediately on the calling thread, without a new task.
public enum Eventual<Value: Sendable>: Sendable {
    case now(Value)
    /// Work that produces the value. The work runs each time the value is read.
    case later(@Sendable () async throws -> Value)

    /// The value. If it is not available now, reading it runs the work.
    public var value: Value {
        get async throws {
            switch self {
            case .now(let value): value
            case .later(let work): try await work()
            }
        }
    }

    /// Returns an eventual value that is the result of applying a function to this value.
    @inline(__always)
    public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Eventual<Other> {
        switch self {
        case .now(let value): .now(transform(value))
        case .later(let work): .later { transform(try await work()) }
        }
    }

    /// Returns an eventual value whose work fails with ``DeadlineFault/notComputed`` when the deadline passes. If `deadline` is `nil`,
    /// returns this value unchanged. Computations that the work shares with other requests continue past the deadline.
    @inline(__always)
    func within(_ deadline: Deadline?) -> Eventual {
        guard let deadline, case .later(let work) = self else { return self }
        return .later { try await deadline.value(of: work) { _ in DeadlineFault.notComputed } }
    }

    /// Returns the eventual value that a function returns for this value.
    @inline(__always)
    public func flatMap<Other>(_ transform: @escaping @Sendable (Value) -> Eventual<Other>) -> Eventual<Other> {
        switch self {
        case .now(let value): transform(value)
        case .later(let work): .later { try await transform(try await work()).value }
        }
    }
}
