import ScreenDiff

/// The form in which history stores the outline of a version: a format byte, a hash of the title, and the outline. Numbers are
/// little-endian.
///
/// A stored outline is followed by a seal, which is a hash (``ContentHash``) of the record's key and of the outline. If the outline or its
/// seal is damaged, they do not match.
struct EncodedOutline: Hashable, Sendable {
    private static let format: UInt8 = 2
    private static let headerSize = 13
    private static let sectionSize = 20
    private static let cellSize = 16
    static let sealSize = 16

    let bytes: [UInt8]

    init(outline: Outline, title: UInt64) {
        let size = Self.headerSize + outline.sections.count * Self.sectionSize + outline.cells.count * Self.cellSize
        // The numbers are stored directly in the memory of the array. With `append`, a hundred thousand cells would take ten times as long.
        bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            func put(_ number: some FixedWidthInteger) {
                UnsafeMutableRawBufferPointer(buffer).storeBytes(of: number.littleEndian, toByteOffset: count, as: type(of: number))
                count += number.bitWidth / 8
            }
            put(Self.format)
            put(title)
            put(UInt32(outline.sections.count))
            for section in outline.sections {
                put(section.id)
                put(section.views)
                put(UInt32(section.cellCount))
            }
            for cell in outline.cells {
                put(cell.id)
                put(cell.content)
            }
        }
    }

    /// Reads an outline, or returns `nil` if the bytes are damaged or have another format.
    private init?(bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize, bytes[0] == Self.format else { return nil }
        self.bytes = bytes
        let sectionCount = Int(number(at: 9, as: UInt32.self))
        let cellsStart = Self.headerSize + sectionCount * Self.sectionSize
        guard cellsStart <= bytes.count else { return nil }
        let cellCount = (0..<sectionCount).reduce(0) { $0 + cells(inSection: $1) }
        guard bytes.count == cellsStart + cellCount * Self.cellSize else { return nil }
    }

    /// Reads the outline of a stored record, or returns `nil` if its seal is wrong or its format is unknown.
    init?(of record: HistoryRecord, hash: ContentHash) {
        let bytes = Array(record.outline.dropLast(Self.sealSize))
        guard record.outline.count > Self.sealSize, record.outline[bytes.count...].elementsEqual(Self.seal(of: bytes, record.key, hash))
        else { return nil }
        self.init(bytes: bytes)
    }

    /// Returns the outline followed by its seal.
    func sealed(for key: HistoryKey, hash: ContentHash) -> [UInt8] {
        bytes + Self.seal(of: bytes, key, hash)
    }

    static func seal(of bytes: [UInt8], _ key: HistoryKey, _ hash: ContentHash) -> [UInt8] {
        let version = hash.version(of: key.bytes, bytes)
        var seal: [UInt8] = []
        seal.append(number: version.high)
        seal.append(number: version.low)
        return seal
    }

    var title: UInt64 { number(at: 1, as: UInt64.self) }

    var outline: Outline {
        let sectionCount = Int(number(at: 9, as: UInt32.self))
        let sections = (0..<sectionCount).map { section in
            let start = Self.headerSize + section * Self.sectionSize
            return Outline.Section(
                id: number(at: start, as: UInt64.self), views: number(at: start + 8, as: UInt64.self),
                cellCount: cells(inSection: section)
            )
        }
        let start = Self.headerSize + sectionCount * Self.sectionSize
        let contents = stride(from: start, to: bytes.count, by: Self.cellSize).map {
            Outline.Cell(id: number(at: $0, as: UInt64.self), content: number(at: $0 + 8, as: UInt64.self))
        }
        return Outline(sections: sections, cells: contents)
    }

    private func cells(inSection section: Int) -> Int {
        Int(number(at: Self.headerSize + section * Self.sectionSize + 16, as: UInt32.self))
    }

    private func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Number.Type) -> Number {
        Number(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) })
    }
}

extension HistoryKey {
    /// Returns a hash of this key. In memory, history stores the hash instead of the key, because the hash is shorter.
    func digest(by hash: ContentHash) -> UInt128 {
        let version = hash.version(of: bytes)
        return UInt128(version.high) << 64 | UInt128(version.low)
    }

    /// An encoding of the key. Different keys have different encodings.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        if case .user(let user) = audience {
            bytes.append(1)
            bytes.append(number: UInt64(user.utf8.count))
            bytes.append(contentsOf: user.utf8)
        } else {
            bytes.append(0)
        }
        bytes.append(number: version.high)
        bytes.append(number: version.low)
        bytes.append(number: UInt64(screen.utf8.count))
        bytes.append(contentsOf: screen.utf8)
        return bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
