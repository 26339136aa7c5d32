import Glibc

/// A regular file that is open for reading.
struct OpenFile: ~Copyable {
    private let descriptor: Descriptor
    /// Where it lies in its folder, behind all links.
    let location: String
    /// In bytes.
    let size: Int
    /// An entity tag, another one for every change of the file.
    let tag: String

    /// Nil if it is no regular file.
    init?(_ descriptor: consuming Descriptor, location: String) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.descriptor = descriptor
        self.location = location
        size = Int(status.st_size)
        // A file that is put back as old as it was has still been changed.
        let times = [status.st_mtim, status.st_ctim].flatMap { [Int($0.tv_sec), $0.tv_nsec] }
        let parts = times + [Int(status.st_size), Int(status.st_ino)]
        tag = "\"\(parts.map { String($0, radix: 36) }.joined(separator: "-"))\""
    }

    /// All of it.
    ///
    /// - Throws: if it cannot be read, or is shorter than it was.
    func read() throws(PublicFolder.OutOfReach) -> [UInt8] {
        var offset = 0
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while offset < size {
                let length = Glibc.read(descriptor.number, buffer.baseAddress! + offset, size - offset)
                if length < 0 && errno == EINTR { continue }
                guard length > 0 else { break }
                offset += length
            }
            failed = offset != size
            count = offset
        }
        if failed { throw .unreadable }
        return bytes
    }
}

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
