/// The indices of all sections during the third stage, in which cells change.
///
/// The second stage inserts sections, and the fourth stage deletes and moves sections. So during the third stage, the list has the sections
/// of both the source and the target. The sections of the source keep their order. A section of the source stays if the fourth stage
/// neither deletes nor moves it. As many sections as possible stay. The new sections are placed so that, together with the sections that
/// stay, they are in the order of the target.
struct SectionPlaces {
    /// For each section of the source, its index during the third stage.
    let ofSource: [Int]
    let ofTarget: [Int]
    /// A Boolean value for each section of the source. It is true if the section survives and does not move.
    let stays: [Bool]

    /// Computes the places of all sections.
    ///
    /// - Parameter anchor: the index of a section of the source that stays in place if this needs no additional move.
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

    /// Assigns consecutive places, beginning with `start`, to the new sections that follow the index `previous` in the target, up to the
    /// next section that stays. If `previous` is -1, the search for new sections begins with the first section of the target. Returns the
    /// next free place.
    private static func put(
        _ pairs: Correspondence, _ stays: [Bool], followingTarget previous: Int, at start: Int, in ofTarget: inout [Int]
    ) -> Int {
        var place = start
        for next in previous + 1..<ofTarget.count {
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
