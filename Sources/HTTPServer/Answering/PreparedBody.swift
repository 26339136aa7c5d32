import Synchronization

/// Bytes that are sent any number of times, as the body of prepared responses or as a part of streams.
///
/// Responses with different header fields can share one body, and many streams can share one part.
public final class PreparedBody: Sendable {
    public let bytes: [UInt8]
    private let attached = Mutex<(any AnyObject & Sendable)?>(nil)

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the value that is attached to this body. The body retains the value.
    ///
    /// - Parameter make: A function that creates the value at the first call. The value must not retain the body. All calls must request the
    ///   same type of value.
    public func attachment<Value: AnyObject & Sendable>(_ make: () -> Value) -> Value {
        attached.withLock { attached in
            if let value = attached as? Value { return value }
            let value = make()
            attached = value
            return value
        }
    }
}

extension PreparedBody: Equatable {
    public static func == (a: PreparedBody, b: PreparedBody) -> Bool { a.bytes == b.bytes }
}
