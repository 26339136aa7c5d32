/// Says that work for a client took longer than it may.
public enum DeadlineFault: Error, Hashable {
    /// The screen was not computed in time.
    case notComputed
    /// The action was not performed in time, and will not be: nothing was done.
    case notPerformed
    /// The action did not end in time. It may have been performed, or may be yet.
    case outcomeUnknown(hasKey: Bool)
    /// The action was performed, but the screen that shows it was not computed in time.
    case performedButNotComputed
    /// So much work for this screen hangs that no more is begun.
    case tooMuchHangs
}
