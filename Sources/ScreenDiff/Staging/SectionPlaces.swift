/// The sections that stay, and the places of all until the last of the source's leave.
///
/// Cells change between the insertion of sections and their deletion, so at that time the list
/// holds the sections of both sides: those of the source in the source's order, each new one behind
/// the section that it follows in the target. In that list new and staying sections already stand
/// in the target's order, so only the sections outside a longest increasing subsequence move.
struct SectionPlaces {
    /// For each section of the source, and of the target, its place between the second stage and the fourth.
    let ofSource: [Int]
    let ofTarget: [Int]
    /// For each section of the source, whether it survives and is not moved.
    let stays: [Bool]

    /// - Parameter anchor: the section of the source that stays rather than another.
    init(_ pairs: Correspondence, anchor: Int?) {
        let stays = pairs.sectionsInOrder(keeping: anchor)
        var ofSource: [Int] = []
        ofSource.reserveCapacity(stays.count)
        var ofTarget = Array(repeating: 0, count: pairs.target.sectionCount)
        var place = Self.put(pairs, stays, followingTarget: -1, at: 0, in: &ofTarget)
        for section in stays.indices {
            ofSource.append(place)
            let target = Int(pairs.targetOfSection[section])
            if pairs.targetOfSection[section] != Correspondence.none { ofTarget[target] = place }
            place += 1
            if stays[section] { place = Self.put(pairs, stays, followingTarget: target, at: place, in: &ofTarget) }
        }
        self.stays = stays
        self.ofSource = ofSource
        self.ofTarget = ofTarget
    }

    /// Gives places to the new sections behind one of the target, up to the next that stays.
    ///
    /// - Returns: the place behind them.
    private static func put(
        _ pairs: Correspondence, _ stays: [Bool], followingTarget target: Int, at start: Int, in ofTarget: inout [Int]
    ) -> Int {
        var place = start
        for next in target + 1..<ofTarget.count {
            let source = pairs.sourceOfSection[next]
            if source == Correspondence.none {
                ofTarget[next] = place
                place += 1
            } else if stays[Int(source)] {
                break
            }
        }
        return place
    }
}
