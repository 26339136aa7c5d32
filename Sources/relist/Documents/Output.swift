import Glibc

/// Writes what a command says, unbuffered: what could not be written is known at once.
enum Output {
    /// Prints a text and a line feed on standard output.
    static func print(_ text: [UInt8]) throws(CommandFault) {
        let code = write(text + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
        if code != 0 { throw .unwritable(code) }
    }

    /// Says on standard error what is wrong. Where nobody listens, the exit code has to do.
    static func complain(_ lines: [String]) {
        _ = write(lines.flatMap { Array("relist: \($0)\n".utf8) }, to: STDERR_FILENO)
    }

    /// - Returns: `errno`, or 0 once all is written.
    private static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
