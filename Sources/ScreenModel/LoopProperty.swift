/// An observable value that is computed from the state of a loop. As a sequence, it begins with the current value, and a slow consumer
/// receives only the newest value.
public struct LoopProperty<Value: Sendable>: AsyncSequence, Sendable {
    let read: @Sendable () -> (value: Value, number: Int, isEnded: Bool)
    let changes: @Sendable () -> AsyncStream<Void>
    let isRepeated: @Sendable (Value, Value) -> Bool

    public var value: Value { read().value }
    public func makeAsyncIterator() -> Iterator { Iterator(property: self, changes: changes().makeAsyncIterator()) }

    /// Returns a property whose value is computed from this value. If consecutive values are equal, only the first one is reported.
    public func map<Other: Equatable & Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> LoopProperty<Other> {
        LoopProperty<Other>(read: { [read] in { (transform($0.value), $0.number, $0.isEnded) }(read()) }, changes: changes, isRepeated: ==)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let property: LoopProperty
        fileprivate var changes: AsyncStream<Void>.Iterator
        fileprivate var last: (value: Value, number: Int)?

        public mutating func next() async -> Value? { await next(isolation: nil) }
        /// Returns the next value. The value is read on the caller's actor, so that no value is returned after code on this actor has
        /// released the loop.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            nonisolated(unsafe) var changes = changes
            while await changes.next() != nil, case (let value, let number, let isEnded) = property.read(), !isEnded {
                if let last, last.number == number || property.isRepeated(last.value, value) { continue }
                last = (value, number)
                return value
            }
            return nil
        }
    }
}
