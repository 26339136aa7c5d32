import Glibc

/// Is a regular file that is open for reading; closed when it is let go.
struct OpenFile: ~Copyable {
    private let descriptor: Int32
    /// In bytes.
    let size: Int
    /// An entity tag, another one for every change of the file.
    let tag: String

    /// Nil if there is no such file, or it is none that can be read.
    init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
        let parts = [Int(status.st_mtim.tv_sec), status.st_mtim.tv_nsec, Int(status.st_size), Int(status.st_ino)]
        tag = "\"\(parts.map { String($0, radix: 36) }.joined(separator: "-"))\""
    }

    deinit {
        close(descriptor)
    }

    /// All of it; nil if it cannot be read, or is shorter than it was.
    func read() -> [UInt8]? {
        var offset = 0
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while offset < size {
                let length = Glibc.read(descriptor, buffer.baseAddress! + offset, size - offset)
                if length < 0 && errno == EINTR { continue }
                guard length > 0 else { break }
                offset += length
            }
            failed = offset != size
            count = offset
        }
        return failed ? nil : bytes
    }
}
