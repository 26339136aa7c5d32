import ExampleRecords
import Foundation
import HTTPClient
import Logging
import ScreenService

/// An HTTP server of posts with the interface of JSONPlaceholder: `GET {base}/posts?_page=1&_limit=20`. If ``RetryPolicy`` allows no
/// further attempt for a page, the failure is logged.
struct PostsUpstream: PostsFetching {
    typealias Sleep = @Sendable (Duration) async throws -> Void

    /// The failure of one attempt to fetch a page.
    private struct FailedAttempt: Error {
        let failure: PostsFailure
        var retryAfter: Duration?
    }

    private let base: URL
    private let logger: Logger
    private let client: HTTPClient
    private let retries: RetryPolicy
    private let sleep: Sleep
    private let jitter: @Sendable () -> Double

    /// Creates a source that fetches posts from a server. `jitter` returns a random number from 0 to 1.
    init(
        base: URL, logger: Logger, client: HTTPClient = HTTPClient(), retries: RetryPolicy = RetryPolicy(),
        sleep: @escaping Sleep = { try await Task.sleep(for: $0) },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.base = base
        self.logger = logger
        self.client = client
        self.retries = retries
        self.sleep = sleep
        self.jitter = jitter
    }

    func posts(onPage page: Int) async throws(PostsFailure) -> [Post] {
        var attempt = 1
        while true {
            do throws(FailedAttempt) {
                return try await posts(at: url(ofPage: page))
            } catch {
                let delay = retries.delay(
                    after: error.failure, retryAfter: error.retryAfter, attempt: attempt, jitter: jitter()
                )
                guard let delay, (try? await sleep(delay)) != nil else {
                    log(error.failure, page)
                    throw error.failure
                }
                attempt += 1
            }
        }
    }

    private func log(_ failure: PostsFailure, _ page: Int) {
        if Task.isCancelled { return }
        logger.warning("a page of posts could not be fetched", metadata: ["page": "\(page)", "cause": "\(failure)"])
    }

    private func url(ofPage page: Int) -> URL {
        base.appending(path: "posts").appending(queryItems: [
            URLQueryItem(name: "_page", value: String(page)),
            URLQueryItem(name: "_limit", value: String(PostsFeed.pageSize)),
        ])
    }

    private func posts(at url: URL) async throws(FailedAttempt) -> [Post] {
        let response = try await response(at: url)
        guard (200..<300).contains(response.status) else {
            throw FailedAttempt(failure: .status(response.status), retryAfter: response.retryAfter)
        }
        do {
            return try PostsDocument.posts(in: response.body)
        } catch {
            throw FailedAttempt(failure: error)
        }
    }

    private func response(at url: URL) async throws(FailedAttempt) -> HTTPResponse {
        do {
            var headers: HTTPHeaders = ["Accept": "application/json"]
            for (name, value) in RequestTrace.current?.fields ?? [] { headers[name] = value }
            return try await client.send(HTTPRequest("GET", url, headers: headers), timeout: .seconds(3))
        } catch {
            throw switch error {
            case .timedOut: FailedAttempt(failure: .slow)
            case .tooLarge: FailedAttempt(failure: .tooLarge)
            case .unreachable, .incomplete, .tls, .exhausted, .cancelled, .invalidRequest: FailedAttempt(failure: .unreachable)
            }
        }
    }
}
