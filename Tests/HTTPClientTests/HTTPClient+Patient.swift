@testable import HTTPClient

extension HTTPClient {
    /// One for which nothing is slow unless a test says when.
    static func patient(
        sizeLimit: Int = 1 << 20, timeout: @escaping Sleep = { _ in try await Task.sleep(for: .seconds(3600)) }
    ) -> HTTPClient {
        HTTPClient(sizeLimit: sizeLimit, sleep: timeout)
    }
}

extension HTTPClient.Answer {
    init(_ status: Int, _ body: String) {
        self.init(status: status, retryAfter: nil, body: Array(body.utf8))
    }
}
