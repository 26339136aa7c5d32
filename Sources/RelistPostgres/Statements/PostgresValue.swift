/// A value that can be bound to a place of a statement, and read from a column.
///
/// `String`, `Int`, `Int64`, `Bool`, `Double`, `[UInt8]` for `bytea`, and optionals of them. The server finds out from the
/// statement what type a place has.
public protocol PostgresValue: Sendable {
    /// What is bound.
    var postgresArgument: PostgresArgument { get }

    /// - Parameter bytes: of the column, as the protocol sends them in binary form; nil for null.
    /// - Returns: nil where they are no such value.
    init?(postgres bytes: UnsafeRawBufferPointer?)
}

/// What is bound to a place of a statement.
public enum PostgresArgument: Hashable, Sendable {
    case null
    /// As SQL would write it, without quotes.
    case text(String)
    case bytes([UInt8])
}

extension String: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(self) }

    public init?(postgres bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return nil }
        self.init(decoding: bytes, as: UTF8.self)
    }
}

extension Int64: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(String(self)) }

    public init?(postgres bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return nil }
        switch bytes.count {
        case 2: self.init(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 4: self.init(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 8: self.init(bigEndian: bytes.loadUnaligned(as: Int64.self))
        default: return nil
        }
    }
}

extension Int: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(String(self)) }

    public init?(postgres bytes: UnsafeRawBufferPointer?) {
        guard let number = Int64(postgres: bytes) else { return nil }
        self.init(number)
    }
}

extension Bool: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(self ? "t" : "f") }

    public init?(postgres bytes: UnsafeRawBufferPointer?) {
        guard let bytes, bytes.count == 1 else { return nil }
        self = bytes[0] != 0
    }
}

extension Double: PostgresValue {
    public var postgresArgument: PostgresArgument { .text(String(self)) }

    public init?(postgres bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return nil }
        switch bytes.count {
        case 4: self.init(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        case 8: self.init(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        default: return nil
        }
    }
}

extension [UInt8]: PostgresValue {
    public var postgresArgument: PostgresArgument { .bytes(self) }

    public init?(postgres bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return nil }
        self.init(bytes)
    }
}

extension Optional: PostgresValue where Wrapped: PostgresValue {
    public var postgresArgument: PostgresArgument { self?.postgresArgument ?? .null }

    public init?(postgres bytes: UnsafeRawBufferPointer?) {
        guard let bytes else {
            self = Wrapped?.none
            return
        }
        guard let value = Wrapped(postgres: bytes) else { return nil }
        self = Wrapped?.some(value)
    }
}
