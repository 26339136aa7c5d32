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
