import CXXHash

/// The hash of rendered bytes: XXH3, keyed with the deployment's secret.
///
/// The secret lies in the database, so that all replicas agree and no one outside can aim for a
/// collision. Swift's `Hasher` differs from run to run and is nowhere in it.
public struct ContentHash: Sendable {
    /// How many bytes a secret has.
    public static let secretByteCount = 192

    let secret: [UInt8]

    /// - Precondition: the secret has at least the 136 bytes that XXH3 asks for.
    public init(secret: [UInt8]) {
        precondition(secret.count >= Int(CXXHASH_SECRET_SIZE_MIN), "XXH3 asks for a longer secret")
        self.secret = secret
    }

    /// The hash of a range of bytes.
    func hash(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
        bytes.withUnsafeBytes { hash(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }

    func hash(_ first: UInt64, _ second: UInt64) -> UInt64 {
        withUnsafeBytes(of: (first.littleEndian, second.littleEndian), hash)
    }

    /// The version that names this content.
    func version(of bytes: [UInt8]) -> Version {
        let hash = bytes.withUnsafeBytes { bytes in
            secret.withUnsafeBytes { cxxhash_128bits(bytes.baseAddress, bytes.count, $0.baseAddress, $0.count) }
        }
        return Version(high: hash.high, low: hash.low)
    }

    /// The version that names two parts as if they were one.
    func version(of first: [UInt8], _ second: [UInt8]) -> Version {
        let hash = first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                secret.withUnsafeBytes {
                    cxxhash_128bits_of_two(first.baseAddress, first.count, second.baseAddress, second.count, $0.baseAddress, $0.count)
                }
            }
        }
        return Version(high: hash.high, low: hash.low)
    }

    /// The version that names content for an audience. What users are shown has a version of its own for each, though they be
    /// shown the same: a version that is known to one says nothing about another.
    func version(of bytes: [UInt8], for audience: Audience) -> Version {
        let version = version(of: bytes)
        guard case .user(let user) = audience else { return version }
        let name = withUnsafeBytes(of: (version.high.littleEndian, version.low.littleEndian)) { Array($0) }
        return self.version(of: name, Array(user.utf8))
    }

    private func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        secret.withUnsafeBytes { cxxhash_64(bytes.baseAddress, bytes.count, $0.baseAddress, $0.count) }
    }
}
