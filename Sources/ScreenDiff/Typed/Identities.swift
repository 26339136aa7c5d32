/// Answers what can be asked about the identities and contents of two lists of elements, by number.
@usableFromInline
struct Identities {
    let isSame: (_ source: Int, _ target: Int) -> Bool
    let isSameSource: (_ source: Int, _ other: Int) -> Bool
    let commonPrefix: (_ source: Int, _ target: Int, _ limit: Int) -> Int
    let commonSuffix: (_ source: Int, _ target: Int, _ limit: Int) -> Int
    let sourceHash: (Int) -> UInt64
    let targetHash: (Int) -> UInt64
    let firstChange: (_ source: Int, _ target: Int, _ count: Int) -> Int?

    @inlinable
    init<Element: Differentiable>(_ source: [Element], _ target: [Element]) {
        let old = source.map(\.differenceIdentifier)
        let new = target.map(\.differenceIdentifier)
        // A copy of one hasher: making each anew, as `hashValue` does, costs as much as hashing.
        let hasher = Hasher()
        self.init(
            isSame: { old[$0] == new[$1] },
            isSameSource: { old[$0] == old[$1] },
            commonPrefix: { source, target, limit in
                var length = 0
                while length < limit, old[source + length] == new[target + length] { length += 1 }
                return length
            },
            commonSuffix: { source, target, limit in
                var length = 0
                while length < limit, old[source - 1 - length] == new[target - 1 - length] { length += 1 }
                return length
            },
            sourceHash: { Self.hash(old[$0], hasher) },
            targetHash: { Self.hash(new[$0], hasher) },
            firstChange: { first, second, count in
                (0..<count).first { !target[second + $0].isContentEqual(to: source[first + $0]) }
            }
        )
    }

    @usableFromInline
    init(
        isSame: @escaping (Int, Int) -> Bool, isSameSource: @escaping (Int, Int) -> Bool,
        commonPrefix: @escaping (Int, Int, Int) -> Int, commonSuffix: @escaping (Int, Int, Int) -> Int,
        sourceHash: @escaping (Int) -> UInt64, targetHash: @escaping (Int) -> UInt64,
        firstChange: @escaping (Int, Int, Int) -> Int?
    ) {
        self.isSame = isSame
        self.isSameSource = isSameSource
        self.commonPrefix = commonPrefix
        self.commonSuffix = commonSuffix
        self.sourceHash = sourceHash
        self.targetHash = targetHash
        self.firstChange = firstChange
    }

    @inlinable
    static func hash(_ id: some Hashable, _ hasher: Hasher) -> UInt64 {
        var hasher = hasher
        id.hash(into: &hasher)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
