import Dispatch
import Glibc
import Synchronization

/// The terminal of the process, from which keys are read one by one.
final class Terminal: Sendable {
    enum Key: Equatable, Sendable {
        case character(Character)
        case enter
        case escape
        case backspace
        case up
        case down
        /// The end of the input, or Ctrl-C.
        case end
    }

    /// The keys in the order in which they were pressed.
    let keys: AsyncStream<Key>
    private let attributes: termios
    /// Only the initializer uses the source. It is stored so that it is not released.
    private nonisolated(unsafe) let termination = DispatchSource.makeSignalSource(signal: SIGTERM)

    /// Takes control of the terminal until ``restore()`` is called. SIGTERM counts as the end of the input, so that the terminal is
    /// restored.
    init() {
        var old = termios()
        tcgetattr(STDIN_FILENO, &old)
        attributes = old
        var raw = old
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        let (keys, pressed) = AsyncStream.makeStream(of: Key.self)
        self.keys = keys
        // Keys are read on a separate thread, because reading blocks. The thread ends with the process.
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(pressed))
        let code = pthread_create(
            &thread, nil,
            {
                Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().read(); return nil
            }, box.toOpaque())
        if code != 0 { box.takeRetainedValue().pressed.yield(.end) }
        signal(SIGTERM, SIG_IGN)
        termination.setEventHandler { pressed.yield(.end) }
        termination.resume()
        write("\u{1B}[?1049h\u{1B}[?25l")
    }

    func restore() {
        write("\u{1B}[?25h\u{1B}[?1049l")
        var old = attributes
        tcsetattr(STDIN_FILENO, TCSANOW, &old)
    }

    /// The number of rows and columns.
    var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return (24, 80) }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Shows lines from the top of the terminal, and clears the rows below them.
    func show(_ lines: [String]) {
        write("\u{1B}[H" + lines.map { "\($0)\u{1B}[0m\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    private func write(_ text: String) {
        _ = Output.write(Array(text.utf8), to: STDOUT_FILENO)
    }

    private final class Box {
        let pressed: AsyncStream<Key>.Continuation

        init(_ pressed: AsyncStream<Key>.Continuation) {
            self.pressed = pressed
        }

        func read() {
            var buffer = [UInt8](repeating: 0, count: 256)
            while true {
                let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for key in Key.keys(in: buffer[..<count]) { pressed.yield(key) }
            }
            pressed.yield(.end)
            pressed.finish()
        }
    }
}

extension Terminal.Key {
    /// Returns the keys that the bytes of one read represent.
    static func keys(in bytes: ArraySlice<UInt8>) -> [Terminal.Key] {
        switch Array(bytes) {
        case [0x1B]: return [.escape]
        case [0x1B, UInt8(ascii: "["), UInt8(ascii: "A")]: return [.up]
        case [0x1B, UInt8(ascii: "["), UInt8(ascii: "B")]: return [.down]
        case let sequence where sequence.first == 0x1B: return []
        default: break
        }
        return String(decoding: bytes, as: UTF8.self).compactMap { character in
            switch character {
            case "\r", "\n", "\r\n": .enter
            case "\u{7F}", "\u{08}": .backspace
            case "\u{03}", "\u{04}": .end
            case _ where character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }: nil
            default: .character(character)
            }
        }
    }
}
