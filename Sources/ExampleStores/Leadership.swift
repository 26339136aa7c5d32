/// Something that says which of several processes does what only one of them shall do.
public protocol Leadership: Sendable {
    /// Runs `body` while this process leads, again each time that it comes to lead, until the task is cancelled.
    ///
    /// Once it leads no more the task of `body` is cancelled; it may go on for a moment while another process
    /// leads already, so what it writes has to be checked where it is written.
    func whileLeading(_ body: @escaping @Sendable () async -> Void) async
}

/// The leadership of a process that is alone.
public struct LeadingAlone: Leadership {
    public init() {}

    public func whileLeading(_ body: @escaping @Sendable () async -> Void) async {
        await body()
    }
}
