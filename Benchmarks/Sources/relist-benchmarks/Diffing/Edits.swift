/// Functions that edit lists at random.
enum Edits {
    /// Returns an edited list: elements are deleted and inserted at random places, and random pairs of elements are swapped.
    static func edited<Element>(
        _ elements: [Element], deletes: Int, inserts: Int, swaps: Int, _ random: inout SplitMix64,
        new: (inout SplitMix64) -> Element
    ) -> [Element] {
        let deleted = Set(elements.indices.shuffled(using: &random).prefix(deletes))
        var kept = elements.indices.filter { !deleted.contains($0) }.map { elements[$0] }
        for _ in 0..<swaps {
            kept.swapAt(.random(in: kept.indices, using: &random), .random(in: kept.indices, using: &random))
        }
        let places = (0..<inserts).map { _ in Int.random(in: 0...kept.count, using: &random) }.sorted()
        var result: [Element] = []
        var next = 0
        for place in places {
            result += kept[next..<place]
            result.append(new(&random))
            next = place
        }
        return result + kept[next...]
    }
}
