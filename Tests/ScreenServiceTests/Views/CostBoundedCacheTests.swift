import SeededRandom
import Testing

@testable import ScreenService

@Suite("The cost-bounded cache") struct CostBoundedCacheTests {
    static let seeds = Seeds.first(40)

    @Test(arguments: seeds) func theCacheBehavesLikeAListThatIsOrderedByUse(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limit = Int.random(in: 0...100, using: &generator)
        var cache = CostBoundedCache<Int, Int>(costLimit: limit)
        var naive = NaiveCache(costLimit: limit)
        for value in 0..<500 {
            let key = Int.random(in: 0..<12, using: &generator)
            let cost = Int.random(in: 0..<30, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<2: #expect(cache.insert(value, for: key, cost: cost) == naive.insert(value, for: key, cost: cost))
            case 2..<4: #expect(cache.use(key) == naive.use(key))
            case 4: #expect(cache.update(key, to: value, cost: cost) == naive.update(key, to: value, cost: cost))
            case 5: #expect(cache.pin(key, value % 3 == 0) == naive.pin(key, value % 3 == 0))
            case 6:
                let (oldest, expected) = (cache.removeOldest(), naive.removeOldest())
                #expect(oldest?.key == expected?.key && oldest?.value == expected?.value)
            default: #expect(cache.remove(key) == naive.remove(key))
            }
            #expect(cache.count == naive.entries.count)
            #expect(cache.totalCost == naive.totalCost)
            #expect(cache.totalCost <= max(limit, naive.pinnedCost))
        }
        for key in 0..<12 { #expect(cache.use(key) == naive.use(key)) }
    }

    @Test func theCacheFreesUnusedCapacity() {
        typealias Cache = CostBoundedCache<Int, Int>
        var cache = Cache(costLimit: 10_000)
        for key in 0..<10_000 { _ = cache.insert(key, for: key, cost: 1) }
        #expect(cache.capacity >= 10_000)
        for key in 0..<9_990 { _ = cache.remove(key) }
        #expect(cache.capacity <= 2 * Cache.idleCapacity)
        #expect((9_990..<10_000).allSatisfy { cache.use($0) == $0 })
        while cache.removeOldest() != nil {}
        #expect(cache.capacity <= 2 * Cache.idleCapacity)
    }
}

/// A reference implementation of the cache. It is an array that is ordered from the least to the most recently used value.
private struct NaiveCache {
    let costLimit: Int
    var entries: [(key: Int, value: Int, cost: Int)] = []
    var pinned: Set<Int> = []

    var totalCost: Int { entries.reduce(0) { $0 + $1.cost } }
    var pinnedCost: Int { entries.reduce(0) { $0 + (pinned.contains($1.key) ? $1.cost : 0) } }

    init(costLimit: Int) {
        self.costLimit = costLimit
    }

    mutating func use(_ key: Int) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries[index]
        if !pinned.contains(key) { entries.append(entries.remove(at: index)) }
        return entry.value
    }

    mutating func insert(_ value: Int, for key: Int, cost: Int) -> [Int] {
        _ = remove(key)
        guard cost <= costLimit else { return [value] }
        entries.append((key, value, cost))
        return shrink()
    }

    mutating func update(_ key: Int, to value: Int, cost: Int) -> [Int] {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return [] }
        entries[index] = (key, value, cost)
        return cost > costLimit && !pinned.contains(key) ? [remove(key)!] : shrink()
    }

    /// Pins or unpins a value. If the value is unpinned, it becomes the most recently used value.
    mutating func pin(_ key: Int, _ isPinned: Bool) -> [Int] {
        guard let index = entries.firstIndex(where: { $0.key == key }), pinned.contains(key) != isPinned else { return [] }
        if isPinned {
            pinned.insert(key)
        } else {
            pinned.remove(key)
            entries.append(entries.remove(at: index))
            if entries.last!.cost > costLimit { return [remove(key)!] }
        }
        return shrink()
    }

    mutating func removeOldest() -> (key: Int, value: Int)? {
        guard let first = entries.first(where: { !pinned.contains($0.key) }) else { return nil }
        return remove(first.key).map { (first.key, $0) }
    }

    mutating func remove(_ key: Int) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        pinned.remove(key)
        return entries.remove(at: index).value
    }

    private mutating func shrink() -> [Int] {
        var gone: [Int] = []
        while totalCost > costLimit, let (_, value) = removeOldest() { gone.append(value) }
        return gone
    }
}
