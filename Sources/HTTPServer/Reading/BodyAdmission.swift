/// Says what shall happen with a part of a body that just came.
enum BodyAdmission: Equatable {
    /// Add it to what was kept.
    case keep
    /// The body is over the limit: read on and keep nothing, an answer can only follow its end.
    case discard
    /// The body is over twice the limit: not even reading on is worth it.
    case cut

    static func of(_ more: Int, after received: Int, limit: Int) -> BodyAdmission {
        let total = received + more
        if total <= limit { return .keep }
        return total / 2 > limit ? .cut : .discard
    }
}
