import Glibc

/// A terminal for a program that is tested.
final class PseudoTerminal: Sendable {
    /// The path of the terminal.
    let path: String
    private let master: Int32

    // The requests TIOCSPTLCK and TIOCGPTN. Swift cannot import them, because they are macros that compute their values. The functions
    // `unlockpt` and `ptsname` need `_XOPEN_SOURCE`.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (CInt, CInt) = (0, 0)
        guard master >= 0, ioctl(master, Self.setLock, &unlocked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
            throw Spawning.Failure(code: errno)
        }
        path = "/dev/pts/\(number)"
        resize(rows: rows, columns: columns)
    }

    deinit {
        close(master)
    }

    /// Returns a new descriptor from which the output of the program is read. The output ends when the program has closed the terminal.
    func output() -> Int32 {
        fcntl(master, F_DUPFD_CLOEXEC, 0)
    }

    /// A Boolean value that indicates whether the terminal echoes what the user types, as it does before and after the program.
    var echoes: Bool {
        var attributes = termios()
        tcgetattr(master, &attributes)
        return attributes.c_lflag & UInt32(ECHO) != 0
    }

    func resize(rows: UInt16, columns: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func type(_ text: String) {
        _ = text.utf8.withContiguousStorageIfAvailable { Glibc.write(master, $0.baseAddress, $0.count) }
    }
}
