extension HTTPServer {
    /// Names why a server did not start. Codes are those of `errno`.
    public enum StartError: Error, Equatable {
        /// The host is no address and no name that is known; the code is one of `getaddrinfo`.
        case hostNotFound(host: String, code: Int32)
        /// The address is taken, not this machine's, or not permitted.
        case cannotListen(host: String, port: UInt16, code: Int32)
        /// The system has no descriptors, memory or threads left.
        case outOfResources(code: Int32)
        /// The limit of connections is not above 0: by default, because the limit of open files leaves none.
        case noConnections
        /// A server starts once.
        case alreadyStarted
    }
}
