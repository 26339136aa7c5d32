import Foundation
import Glibc
import HTTPClient

/// Where a key set lies.
enum KeySource: Sendable {
    case file(String)
    case url(URL)

    /// - Throws: in a sentence, what is wrong with the text.
    init(_ text: String) throws(InvalidAddress) {
        guard text.contains("://") else {
            self = .file(text)
            return
        }
        guard let url = URL(string: text, encodingInvalidCharacters: false), let host = url.host(), !host.isEmpty,
            url.user() == nil, url.fragment() == nil
        else { throw InvalidAddress(rule: "must be a file, or an https URL without a user and a fragment") }
        let isSafe = url.scheme == "https" || url.scheme == "http" && Self.isLoopback(host)
        guard isSafe else { throw InvalidAddress(rule: "must be an https URL, as keys could be put in on the way, or a file") }
        self = .url(url)
    }

    struct InvalidAddress: Error {
        let rule: String
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }

    /// Whether nobody but this server reads what lies there.
    var isPrivate: Bool {
        if case .file = self { true } else { false }
    }

    func read(_ client: HTTPClient) async throws(KeySetFault) -> [UInt8] {
        switch self {
        case .file(let path): return try Self.contents(of: path)
        case .url(let url):
            let answer: HTTPClient.Answer
            do { answer = try await client.get(url) } catch { throw .unreachable(error) }
            guard answer.status == 200 else { throw .status(answer.status) }
            return answer.body
        }
    }

    private static let sizeLimit = 1 << 20

    private static func contents(of path: String) throws(KeySetFault) -> [UInt8] {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadable(code: errno) }
        // Reading a pipe might wait for ever.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
        guard let file = fopen(path, "re") else { throw .unreadable(code: errno) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: sizeLimit + 1)
        errno = 0
        let count = fread(&bytes, 1, bytes.count, file)
        if ferror(file) != 0 { throw .unreadable(code: errno) }
        guard count <= sizeLimit else { throw .tooLarge }
        return Array(bytes.prefix(count))
    }
}
