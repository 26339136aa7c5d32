/// The indices of all sections during the third stage, in which cells change. The second stage inserts sections. The fourth
/// stage deletes and moves sections.
///
/// During the third stage, the list has the sections of both the source and the target. The sections of the source keep their order.
/// Each new section is placed behind the section that it follows in the target. So the new sections and the sections that stay are in
/// the same order as in the target. Only sections that do not belong to a longest increasing subsequence move.
struct SectionPlaces {
    /// For each section of the source, its index during the third stage.
    let ofSource: [Int]
    let ofTarget: [Int]
    /// A Boolean value for each section of the source. It is true if the section survives and does not move.
    let stays: [Bool]

    /// Computes the index that each section of the source and of the target has during the third stage.
    ///
    /// - Parameters:
    ///   - pairs: the sections of the source and of the target, paired by identifier.
    ///   - anchor: the index of a section of the source that should stay in place.
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

    /// Assigns places to the new sections between one section of the target and the next section that stays.
    ///
    /// - Parameters:
    ///   - target: the index of the section before the new sections; -1 for the start of the target.
    ///   - start: the place of the first new section.
    /// - Returns: the place after the last assigned place.
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
