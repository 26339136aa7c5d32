import CXXHash

/// A hash function for rendered bytes: XXH3, keyed with the secret of the deployment.
///
/// The secret is stored in the database, so that all replicas compute the same hashes and clients cannot construct collisions.
/// Swift's `Hasher` is not used, because its results differ from run to run.
public struct ContentHash: Sendable {
    /// The number of bytes of a new secret.
    public static let secretByteCount = 192

    let secret: [UInt8]

    /// Creates a hash function with a secret of at least 136 bytes (the minimum of XXH3).
    public init(secret: [UInt8]) {
        precondition(secret.count >= Int(CXXHASH_SECRET_SIZE_MIN), "the secret is too short for XXH3")
        self.secret = secret
    }

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

    func version(of bytes: [UInt8]) -> Version {
        let hash = bytes.withUnsafeBytes { bytes in
            secret.withUnsafeBytes { cxxhash_128bits(bytes.baseAddress, bytes.count, $0.baseAddress, $0.count) }
        }
        return Version(high: hash.high, low: hash.low)
    }

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

    /// Returns the version of content for an audience. Equal content has a different version for each user. Therefore a comparison of the
    /// versions of two users does not reveal whether they have the same content.
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
