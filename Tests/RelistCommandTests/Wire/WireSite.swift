import HTTPServer
import ScreenWire
import Synchronization
import TemporaryDatabase

/// A service of the example screens on a new database. Tests give names to versions.
final class WireSite: Sendable {
    private let site: ExampleSite
    private let folder: TemporaryFolder
    /// The name that each version has in fixtures. The versions themselves are different in each database, because they depend on a
    /// secret.
    private let names = Mutex<[String: String]>([:])

    init() async throws {
        folder = try TemporaryFolder()
        site = try await ExampleSite(in: folder)
    }

    func ask(
        _ method: String, _ target: String, _ headers: Headers = [:], _ body: String = "", refusal: Refusal? = nil
    ) async -> [UInt8] {
        var headers = headers
        // Otherwise each problem would have another id.
        headers.append("X-Request-Id", "example")
        return (try? await site.ask(method, target, headers, body, refusal: refusal).body) ?? []
    }

    /// Returns the snapshot of a view, and gives a name to its version.
    func snapshot(_ target: String, named name: String) async throws -> (bytes: [UInt8], version: String) {
        let bytes = await ask("GET", target)
        guard case .string(let version)? = try JSONReader.read(bytes)["version"] else { throw NoVersion() }
        names.withLock { $0[version] = name }
        return (bytes, version)
    }

    func close() async { await site.close() }

    struct NoVersion: Error {}

    /// Returns the document with each named version replaced by its name.
    func naming(versionsIn document: String) -> String {
        names.withLock { names in
            names.reduce(document) { $0.replacing("\"\($1.key)\"", with: "\"\($1.value)\"") }
        }
    }
}
