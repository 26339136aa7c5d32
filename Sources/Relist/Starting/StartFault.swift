import Glibc
import HTTPServer

/// The program has nothing that finds out who asks.
struct NoAuthentication: Error {}

/// A database that is no file. What it says of itself is never told: a password may be in it.
package enum DatabaseURL {
    /// The program keeps its data in a file.
    package struct NotAFile: Error, CustomStringConvertible {
        package var description: String {
            "--database is a URL that this program cannot open. Give an SQLite file, or to relist serve a URL such as postgres://user@host/database; "
                + "a team's own program takes that with RelistServer(opening:screens:) and the product RelistPostgres."
        }
    }

    /// Whether a text names a server, also where it is misspelt. A file is called so with its whole path, or with `./` before it.
    static func isMeant(by text: String) -> Bool {
        if text.hasPrefix("/") || text.hasPrefix("./") { return false }
        let text = text.lowercased()
        return text.contains("://") || text.contains(/^postgres[^\/]*:|^postgres(ql)?\/\/|:[^\/]*@/)
            || text.contains(/\b(host|hostaddr|user|password|dbname|service)\s*=/)
    }

    /// - Throws: ``NotAFile``, before a file of such a name is made.
    package static func refuse(_ text: String) throws(NotAFile) {
        if isMeant(by: text) { throw NotAFile() }
    }
}

/// Why the server does not start and what to do, for whoever starts it.
struct StartFault: CustomStringConvertible {
    let description: String

    init(_ error: any Error) {
        description =
            switch error {
            case HTTPServer.StartError.hostNotFound(let host, _):
                "The host \(host) is not known. Give an address of this machine with --host."
            case HTTPServer.StartError.cannotListen(let host, let port, let code):
                "Cannot listen on \(host), port \(port): \(String(cString: strerror(code))). "
                    + "Stop what listens there, or give another --port; 0 takes a free one."
            case HTTPServer.StartError.noConnections:
                "The limit of open files leaves none for connections. Raise it to 1024 or more: with ulimit -n, with "
                    + "LimitNOFILE= of systemd or --ulimit nofile= of Docker."
            case is NoAuthentication:
                "This program takes no tokens, so --authentication can only be demo. A team's own program takes them with "
                    + "RelistServer.authentication and the product RelistTokens."
            default: "\(error)"
            }
    }
}
