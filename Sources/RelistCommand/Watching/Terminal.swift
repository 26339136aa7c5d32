import Dispatch
import Glibc
import Synchronization

/// The terminal of the process, from which keys are read one by one.
final class Terminal: Sendable {
    enum Event: Equatable, Sendable {
        case key(KeyReader.Key)
        /// The number of rows or columns changed.
        case resized
        /// The input ended, or a signal requested the end of the process.
        case end
    }

    /// The events in the order in which they happened.
    let events: AsyncStream<Event>
    private let attributes: termios
    private let isEnding = Atomic(false)
    /// Only the initializer uses the sources. They are stored so that they are not released.
    private nonisolated(unsafe) var signals: [any DispatchSourceSignal] = []

    /// Takes control of the terminal until ``restore()`` is called. A signal that would end the process becomes an event, so that the
    /// terminal is restored. A second signal ends the process at once.
    init() {
        var old = termios()
        tcgetattr(STDIN_FILENO, &old)
        attributes = old
        let (events, happened) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        signals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGWINCH].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { [self] in
                if number != SIGWINCH, isEnding.exchange(true, ordering: .relaxed) { exit(128 + number) }
                happened.yield(number == SIGWINCH ? .resized : .end)
            }
            source.resume()
            return source
        }
        var raw = old
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        // Keys are read on a separate thread, because reading blocks. The thread ends with the process.
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(happened))
        let code = pthread_create(
            &thread, nil,
            {
                Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().read(); return nil
            }, box.toOpaque())
        if code != 0 { box.takeRetainedValue().happened.yield(.end) }
        // Without automatic wrapping, a line can never take a second row, even if the terminal and the C library disagree about a width.
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    func restore() {
        var old = attributes
        tcsetattr(STDIN_FILENO, TCSANOW, &old)
        write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    }

    /// Ends the process, also if a terminal that takes no bytes blocks the drawing. The contents of such a terminal are not restored,
    /// because this would block, too.
    private func exit(_ code: CInt) -> Never {
        var old = attributes
        tcsetattr(STDIN_FILENO, TCSANOW, &old)
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        if poll(&output, 1, 0) > 0 { restore() }
        _exit(code)
    }

    /// The number of rows and columns.
    var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return (24, 80) }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Shows lines from the top of the terminal. Each row is cleared before its text is written, because clearing after the text would
    /// remove the last column of a full row.
    func show(_ lines: [String]) {
        write("\u{1B}[H" + lines.map { "\u{1B}[2K\($0)\u{1B}[0m" }.joined(separator: "\r\n"))
    }

    private func write(_ text: String) {
        _ = Output.write(Array(text.utf8), to: STDOUT_FILENO)
    }

    private final class Box {
        /// The time in milliseconds after which a lone ESC is the Escape key and not the beginning of a sequence.
        private static let sequenceTime: CInt = 100
        let happened: AsyncStream<Event>.Continuation

        init(_ happened: AsyncStream<Event>.Continuation) {
            self.happened = happened
        }

        func read() {
            var reader = KeyReader()
            var buffer = [UInt8](repeating: 0, count: 256)
            while true {
                var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                let ready = poll(&input, 1, reader.isIncomplete ? Self.sequenceTime : -1)
                let count = ready > 0 ? Glibc.read(STDIN_FILENO, &buffer, buffer.count) : ready == 0 ? 0 : -1
                if count < 0, errno == EINTR { continue }
                guard count > 0 || ready == 0 else { break }
                let keys = ready == 0 ? reader.endSequence() : reader.keys(in: buffer[..<count])
                for key in keys { happened.yield(.key(key)) }
            }
            happened.yield(.end)
            happened.finish()
        }
    }
}
