/// A parser that turns the bytes from a terminal into keys. The bytes of several keys can arrive together, and the bytes of one key can
/// arrive in pieces.
struct KeyReader {
    enum Key: Equatable, Sendable {
        case character(Character)
        case enter
        case escape
        case backspace
        /// Ctrl-U, which deletes the text that was typed.
        case clear
        case up
        case down
        case pageUp
        case pageDown
        /// The Home key.
        case top
        /// The End key.
        case bottom
        /// Ctrl-C or Ctrl-D.
        case end
    }

    /// The maximum number of bytes in the sequence of one key. A longer sequence is discarded.
    private static let sequenceLimit = 32
    private static let escape: UInt8 = 0x1B
    /// The bytes of a sequence that is not complete.
    private var bytes: [UInt8] = []
    private var isAfterReturn = false

    /// A Boolean value that indicates whether the last bytes can be the beginning of a longer sequence.
    var isIncomplete: Bool { !bytes.isEmpty }

    /// Returns the keys that the next bytes complete.
    mutating func keys(in new: some Sequence<UInt8>) -> [Key] {
        bytes += new
        var keys: [Key] = []
        while let (key, count) = Self.firstKey(in: bytes) {
            let isSecondHalf = isAfterReturn && bytes[0] == UInt8(ascii: "\n")
            isAfterReturn = bytes[0] == UInt8(ascii: "\r")
            bytes.removeFirst(count)
            if let key, !isSecondHalf { keys.append(key) }
        }
        return keys
    }

    /// Ends an incomplete sequence, because no more bytes have arrived for a moment. A lone ESC is the Escape key.
    mutating func endSequence() -> [Key] {
        defer { bytes = [] }
        return bytes == [Self.escape] ? [.escape] : []
    }

    /// Returns the first key and the number of its bytes. The key is `nil` if the program ignores these bytes. The result is `nil` if the
    /// bytes are not complete.
    private static func firstKey(in bytes: [UInt8]) -> (key: Key?, count: Int)? {
        switch bytes.first {
        case nil: return nil
        case escape: return sequence(bytes)
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return (.enter, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x03, 0x04: return (.end, 1)
        case 0x15: return (.clear, 1)
        case let byte? where byte < 0x20: return (nil, 1)
        default: return character(bytes)
        }
    }

    /// Reads a sequence that begins with ESC (ECMA-48, sections 5.4 and 5.6). After any other byte, ESC is the Escape key.
    private static func sequence(_ bytes: [UInt8]) -> (key: Key?, count: Int)? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case UInt8(ascii: "["):
            guard let end = bytes.dropFirst(2).firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
                return bytes.count > sequenceLimit ? (nil, bytes.count) : nil
            }
            // A byte that cannot end a sequence belongs to the next key.
            return (0x40...0x7E).contains(bytes[end]) ? (motion(bytes[2...end]), end + 1) : (nil, end)
        case UInt8(ascii: "O"):
            guard bytes.count > 2 else { return nil }
            return (0x40...0x7E).contains(bytes[2]) ? (motion(bytes[2...2]), 3) : (nil, 2)
        default: return (.escape, 1)
        }
    }

    /// Returns the key that moves the selection and has this end of a sequence. Terminals send different sequences for Home and End.
    private static func motion(_ end: ArraySlice<UInt8>) -> Key? {
        switch String(decoding: end, as: UTF8.self) {
        case "5~": .pageUp
        case "6~": .pageDown
        case "H", "1~", "7~": .top
        case "F", "4~", "8~": .bottom
        case let text where text.hasSuffix("A"): .up
        case let text where text.hasSuffix("B"): .down
        default: nil
        }
    }

    private static func character(_ bytes: [UInt8]) -> (key: Key?, count: Int)? {
        let length =
            switch bytes[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard bytes.count >= length || !bytes.dropFirst().allSatisfy({ (0x80...0xBF).contains($0) }) else { return nil }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self), let scalar = text.unicodeScalars.first else {
            return (nil, 1)
        }
        return (scalar.properties.generalCategory == .control ? nil : .character(Character(scalar)), length)
    }
}
