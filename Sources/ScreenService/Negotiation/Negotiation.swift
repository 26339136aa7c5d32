import ScreenWire

/// Decides how a request for changes is answered: from values to a value, nothing is looked up here.
enum Negotiation: Hashable {
    case unchanged
    /// A changeset from that version, whose outline is in history.
    case changeset(from: Version)
    case snapshot(SnapshotReason)

    /// - Parameters:
    ///   - presented: what the client says that it holds; nil if it says nothing.
    ///   - current: the version of the view now.
    ///   - isKnown: whether history has a version for this screen and audience.
    init(presented: String?, current: Version, isKnown: (Version) -> Bool) {
        guard let presented else {
            self = .snapshot(.initial)
            return
        }
        switch Version(presented) {
        case current?: self = .unchanged
        case let version? where isKnown(version): self = .changeset(from: version)
        default: self = .snapshot(.unknownVersion)
        }
    }
}
