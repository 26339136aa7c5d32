/// Says that a store could not be reached or did not answer in time: the same request may succeed later.
///
/// Stores throw it; it is told to clients as such, unlike errors that nobody foresaw.
public struct DataUnavailable: Error, Hashable {
    /// In a few words, without secrets: `the database is busy`.
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}
