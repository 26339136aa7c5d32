/// The sections that stay, and the places of all until the last of the source's leave.
///
/// Cells change between the insertion of sections and their deletion, so at that time the list
/// holds the sections of both sides: those of the source in the source's order, each new one behind
/// the section that it follows in the target. In that list new and staying sections already stand
/// in the target's order, so only the sections outside a longest increasing subsequence move.
struct SectionPlaces {
    /// For each section of the source, and of the target, its place between the second stage and the fourth.
    let placeOfSource: [Int]
    let placeOfTarget: [Int]
    /// For each section of the source, whether it survives and is not moved.
    let stays: [Bool]

    /// - Parameter anchor: the section of the source that stays rather than another.
    init(_ pairs: Correspondence, anchor: Int?) {
        let stays = pairs.sectionsInOrder(keeping: anchor)
        let newcomers = Self.newcomers(pairs, stays)
        var placeOfSource: [Int] = []
        var placeOfTarget = Array(repeating: 0, count: pairs.target.sectionCount)
        var place = 0
        func put(_ targets: [Int]) {
            for target in targets {
                placeOfTarget[target] = place
                place += 1
            }
        }
        put(newcomers.front)
        for section in stays.indices {
            placeOfSource.append(place)
            let target = pairs.targetOfSection[section]
            if target != Correspondence.none { placeOfTarget[Int(target)] = place }
            place += 1
            put(newcomers.following[section] ?? [])
        }
        self.stays = stays
        self.placeOfSource = placeOfSource
        self.placeOfTarget = placeOfTarget
    }

    /// New sections (as places in the target) by the staying section of the source that they follow.
    private static func newcomers(
        _ pairs: Correspondence, _ stays: [Bool]
    ) -> (front: [Int], following: [Int: [Int]]) {
        var front: [Int] = []
        var following: [Int: [Int]] = [:]
        var anchor: Int?
        for (target, source) in pairs.sourceOfSection.enumerated() {
            if source != Correspondence.none {
                if stays[Int(source)] { anchor = Int(source) }
            } else if let anchor {
                following[anchor, default: []].append(target)
            } else {
                front.append(target)
            }
        }
        return (front, following)
    }
}
