public import FoundationEssentials

/// Hashes identifiers for a table that lives as long as one diff.
///
/// A `UUID` and an `Int`, which are nothing but their bits, are mixed by one multiplication, at a tenth of
/// what a `Hasher` takes; everything else is hashed by it. Both depend on the process's seed, so that
/// nobody can aim for collisions.
@usableFromInline
struct IdentityHasher {
    @usableFromInline let seeds = (word(of: 0.hashValue), word(of: 1.hashValue))

    @inlinable
    init() {}

    @inlinable
    func hash<ID: Hashable>(_ id: ID) -> UInt64 {
        // By its static type: an `AnyHashable` may hold an `Int`, and equal one that holds an `Int8`.
        if ID.self == UUID.self {
            let (first, second) = unsafeBitCast(id, to: (UInt64, UInt64).self)
            return mixed(first, second)
        }
        if ID.self == Int.self { return mixed(unsafeBitCast(id, to: UInt64.self), 0) }
        return Self.word(of: id.hashValue)
    }

    /// Folds the 128 bits of a product of two words, as wyhash does (Wang Yi, 2019).
    @inlinable
    func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = (first ^ seeds.0).multipliedFullWidth(by: second ^ seeds.1)
        return product.high ^ product.low
    }

    @inlinable
    static func word(of number: Int) -> UInt64 { UInt64(truncatingIfNeeded: number) }
}
