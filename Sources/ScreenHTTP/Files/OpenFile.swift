import Glibc

/// A regular file that is open for reading.
struct OpenFile: ~Copyable {
    private let descriptor: Descriptor
    /// The path of the file within the public folder, with symbolic links resolved.
    let location: String
    let size: Int
    /// The entity tag. It changes whenever the file changes.
    let tag: String

    /// Creates an open file from a descriptor. Returns nil if the descriptor does not refer to a regular file.
    init?(_ descriptor: consuming Descriptor, location: String) {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.descriptor = descriptor
        self.location = location
        size = Int(status.st_size)
        // The tag includes the change time, because the modification time of a changed file can be set back.
        let times = [status.st_mtim, status.st_ctim].flatMap { [Int($0.tv_sec), $0.tv_nsec] }
        let parts = times + [Int(status.st_size), Int(status.st_ino)]
        tag = "\"\(parts.map { String($0, radix: 36) }.joined(separator: "-"))\""
    }

    /// Returns the content of the file. Throws an error if the file cannot be read or has become shorter since it was opened.
    func read() throws(PublicFolder.TemporaryError) -> [UInt8] {
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

/// An open file descriptor of a file or folder. It is closed when this value is destroyed.
struct Descriptor: ~Copyable {
    let number: Int32

    /// Opens a path. Returns nil on failure, with the cause in `errno`.
    init?(_ path: String, _ flags: Int32) {
        let number = open(path, flags | O_CLOEXEC)
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// Opens an entry of a folder. Returns nil on failure, with the cause in `errno`.
    init?(_ name: String, in folder: borrowing Descriptor, _ flags: Int32) {
        let number = openat(folder.number, name, flags | O_CLOEXEC)
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Returns the target of a symbolic link in this folder, or nil if the name does not refer to a symbolic link.
    func link(_ name: String) -> String? {
        let most = Int(PATH_MAX)
        let target = [CChar](unsafeUninitializedCapacity: most) { buffer, count in
            count = max(0, readlinkat(number, name, buffer.baseAddress!, most))
        }
        return target.isEmpty ? nil : String(decoding: target.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
