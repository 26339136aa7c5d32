import Glibc
import HTTPServer

/// An error that reports that the program cannot authenticate users.
struct NoAuthentication: Error, CustomStringConvertible {
    let description =
        "This program accepts no tokens, so --authentication can only be demo. A team's own program accepts them with "
        + "RelistServer.authentication and the product RelistTokens."
}

/// A check that recognizes the URL of a database server where a file is expected. Such a URL is never logged, because it may
/// contain a password.
package enum DatabaseURL {
    /// An error that reports that the program stores its data in a file and cannot use a database server.
    package struct NotAFile: Error, CustomStringConvertible {
        package var description: String {
            "--database is a URL that this program cannot open. Give an SQLite file, or to relist serve a URL such as postgres://user@host/database; "
                + "a team's own program accepts it with RelistServer(opening:screens:) and the product RelistPostgres."
        }
    }

    /// Returns a Boolean value that indicates whether a text looks like the URL or connection string of a database server. The result is
    /// true for most misspelt URLs.
    ///
    /// A file with such a name can be given by its absolute path, or with `./` before the name.
    static func matches(_ text: String) -> Bool {
        if text.hasPrefix("/") || text.hasPrefix("./") { return false }
        let text = text.lowercased()
        return text.contains("://") || text.contains(/^postgres[^\/]*:|^postgres(ql)?\/\/|:[^\/]*@/)
            || text.contains(/\b(host|hostaddr|user|password|dbname|service)\s*=/)
    }

    /// Rejects the URL of a database server, so that no file with this name is created.
    ///
    /// - Throws: `NotAFile`.
    package static func refuse(_ text: String) throws(NotAFile) {
        if matches(text) { throw NotAFile() }
    }
}

/// The reason why the server does not start, with a remedy.
struct StartFault: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        description =
            switch error {
            case let fault as AdminPortFault: Self.text(of: fault.cause, flags: "--admin-")
            case let fault as HTTPServer.StartError: Self.text(of: fault, flags: "--")
            default: "\(error)"
            }
    }

    /// Returns the text for an address with the flags `host` and `port` behind a prefix.
    private static func text(of error: HTTPServer.StartError, flags prefix: String) -> String {
        switch error {
        case .hostNotFound(let host, _):
            "The host \(host) is not known. Give an address of this machine with \(prefix)host."
        case .cannotListen(let host, let port, let code):
            "Cannot listen on \(host), port \(port): \(String(cString: strerror(code))). "
                + "Stop the program that listens there, or give another \(prefix)port; 0 takes a free one."
        case .noConnections:
            "The limit of open files leaves none for connections. Raise it to 1024 or more: with ulimit -n, with "
                + "LimitNOFILE= of systemd or --ulimit nofile= of Docker."
        case .severalSockets(let count):
            "The service manager has passed \(count) sockets, but the server takes one. Leave one ListenStream= in the socket unit."
        case .notListening:
            "The service manager has passed something else than a listening TCP socket. Give an address and a port as ListenStream=, "
                + "and leave out Accept=."
        default: "\(error)"
        }
    }
}
