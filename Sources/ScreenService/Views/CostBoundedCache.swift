/// Keeps values up to a total cost, and lets go of those that were not used for longest.
struct CostBoundedCache<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value
        var cost: Int
        var newer: Int
        var older: Int
    }

    let costLimit: Int
    private(set) var totalCost = 0
    private var indices: [Key: Int] = [:]
    private var nodes: [Node?] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1

    var count: Int { indices.count }

    init(costLimit: Int) {
        self.costLimit = costLimit
    }

    /// The value of a key, which counts as used.
    mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest {
            unlink(index)
            link(index)
        }
        return nodes[index]?.value
    }

    /// Keeps a value, instead of an earlier one of that key.
    ///
    /// - Returns: the values that had to go for it, the value itself among them if it alone costs
    ///   more than the limit.
    mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Value] {
        _ = remove(key)
        let node = Node(key: key, value: value, cost: cost, newer: -1, older: -1)
        let index = free.popLast() ?? nodes.count
        if index == nodes.count { nodes.append(node) } else { nodes[index] = node }
        indices[key] = index
        totalCost += cost
        link(index)
        return shrink()
    }

    /// Says that a value has come to cost more.
    ///
    /// - Returns: the values that had to go.
    mutating func add(cost: Int, to key: Key) -> [Value] {
        guard let index = indices[key] else { return [] }
        nodes[index]?.cost += cost
        totalCost += cost
        return shrink()
    }

    mutating func remove(_ key: Key) -> Value? {
        guard let index = indices.removeValue(forKey: key), let node = nodes[index] else { return nil }
        unlink(index)
        nodes[index] = nil
        free.append(index)
        totalCost -= node.cost
        return node.value
    }

    private mutating func shrink() -> [Value] {
        var evicted: [Value] = []
        while totalCost > costLimit, oldest >= 0, let key = nodes[oldest]?.key, let value = remove(key) {
            evicted.append(value)
        }
        return evicted
    }

    private mutating func link(_ index: Int) {
        nodes[index]?.older = newest
        nodes[index]?.newer = -1
        if newest >= 0 { nodes[newest]?.newer = index } else { oldest = index }
        newest = index
    }

    private mutating func unlink(_ index: Int) {
        guard let node = nodes[index] else { return }
        if node.newer >= 0 { nodes[node.newer]?.older = node.older } else { newest = node.older }
        if node.older >= 0 { nodes[node.older]?.newer = node.newer } else { oldest = node.newer }
    }
}
