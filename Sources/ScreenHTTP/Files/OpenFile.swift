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
        let parts = [Int(status.st_mtim.tv_sec), status.st_mtim.tv_nsec, Int(status.st_size), Int(status.st_ino)]
        tag = "\"\(parts.map { String($0, radix: 36) }.joined(separator: "-"))\""
    }

    /// All of it; nil if it cannot be read, or is shorter than it was.
    func read() -> [UInt8]? {
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
        return failed ? nil : bytes
    }
}
