import Foundation

/// Base 64 with the alphabet for URLs and without padding (RFC 7515, section 2).
enum Base64URL {
    /// Nil where a character is not of the alphabet, there is one too many, or the same bytes are spelt otherwise.
    static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        var base64 = Data(capacity: text.count + 2)
        for character in text {
            switch character {
            case UInt8(ascii: "-"): base64.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): base64.append(UInt8(ascii: "/"))
            // Of the other alphabet.
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: base64.append(character)
            }
        }
        while base64.count % 4 != 0 { base64.append(UInt8(ascii: "=")) }
        guard let bytes = Data(base64Encoded: base64), bytes.base64EncodedData() == base64 else { return nil }
        return Array(bytes)
    }

    static func text(of bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
