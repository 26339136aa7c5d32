/// Estimates how much of a connection's memory a head has taken.
///
/// The library builds the answer's head, and reads the body, in what is left of it. So this is judged before anything
/// is done.
enum HeadMemory {
    /// Bytes that must be left: enough for a part of the body, and for the head of any answer.
    static let reserve = 2048
    /// What the library keeps for each field and each cookie, rounded up as it does.
    private static let bytesOfElement = 64

    /// At least as many bytes as are taken. Each cookie's value is copied; empty lines before the head are not seen.
    static func used(by head: Int, headers: Headers) -> Int {
        var elements = headers.fields.count
        var copied = 0
        for field in headers.fields where headers.names(field, "cookie") {
            let value = headers.bytes[field.valueStart..<field.end]
            copied += value.count + 16
            elements += 1
            for byte in value where byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") { elements += 1 }
        }
        return head + copied + elements * bytesOfElement
    }
}
