import Glibc

/// A descriptor of an open file or folder; closed when it is let go.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Nil if it cannot be opened; `errno` says why.
    init?(_ path: String, _ flags: Int32) {
        let number = open(path, flags | O_CLOEXEC)
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// The same for an entry of a folder.
    init?(_ name: String, in folder: borrowing Descriptor, _ flags: Int32) {
        let number = openat(folder.number, name, flags | O_CLOEXEC)
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Where a link in this folder leads; nil if it is none.
    func link(_ name: String) -> String? {
        let most = Int(PATH_MAX)
        let target = [CChar](unsafeUninitializedCapacity: most) { buffer, count in
            count = max(0, readlinkat(number, name, buffer.baseAddress!, most))
        }
        return target.isEmpty ? nil : String(decoding: target.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
