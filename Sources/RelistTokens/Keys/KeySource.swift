import Foundation
import Glibc
import HTTPClient

/// The location of a key set.
enum KeySource: Sendable {
    case file(String)
    case url(URL)

    init(_ text: String) throws(SettingsFault) {
        guard text.contains("://") else {
            self = .file(text)
            return
        }
        guard let url = URL(string: text, encodingInvalidCharacters: false), let host = url.host(), !host.isEmpty,
            url.user() == nil, url.fragment() == nil
        else { throw Self.fault(in: text, "must be a file, or an https URL without a user and a fragment") }
        let isSafe = url.scheme == "https" || url.scheme == "http" && Self.isLoopback(host)
        guard isSafe else { throw Self.fault(in: text, "must be a file, or an https URL, since keys sent over http can be replaced") }
        self = .url(url)
    }

    private static func fault(in text: String, _ rule: String) -> SettingsFault {
        SettingsFault("--authentication is keys=\(text) but \(rule).")
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }

    /// A Boolean value that indicates whether the location is a local file, which may contain secrets.
    var isPrivate: Bool {
        if case .file = self { true } else { false }
    }

    func read(_ client: HTTPClient) async throws(KeySetFault) -> [UInt8] {
        switch self {
        case .file(let path): return try Self.contents(of: path)
        case .url(let url):
            let request = HTTPRequest("GET", url, headers: ["Accept": "application/json"])
            let response: HTTPResponse
            do {
                response = try await client.send(request, bodyLimit: Self.sizeLimit, timeout: .seconds(3))
            } catch {
                throw .unreachable(error)
            }
            guard response.status == 200 else { throw .status(response.status) }
            return response.body
        }
    }

    private static let sizeLimit = 1 << 20

    private static func contents(of path: String) throws(KeySetFault) -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else { throw .unreadable(code: errno) }
        // Opening a pipe could block for ever.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
        guard status.st_size <= sizeLimit else { throw .tooLarge }
        guard let data = FileManager.default.contents(atPath: path) else { throw .unreadable(code: EIO) }
        // The file may have grown since its size was checked.
        guard data.count <= sizeLimit else { throw .tooLarge }
        return Array(data)
    }
}
