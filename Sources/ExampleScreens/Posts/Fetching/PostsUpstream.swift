import ExampleRecords
import Foundation
import HTTPClient

/// A server of posts, over HTTP, in the format of JSONPlaceholder: `GET {base}/posts?_page=1&_limit=20`.
///
/// What can pass by itself is tried again, a few times, as ``RetryPolicy`` has it.
struct PostsUpstream: PostsFetching {
    typealias Sleep = @Sendable (Duration) async throws -> Void

    /// Why one attempt brought no posts.
    private struct Miss: Error {
        let failure: PostsFailure
        var retryAfter: Duration?
    }

    private let base: URL
    private let client: HTTPClient
    private let retries: RetryPolicy
    private let sleep: Sleep
    private let jitter: @Sendable () -> Double

    /// - Parameters:
    ///   - base: what `/posts` is added to.
    ///   - client: gets one answer.
    ///   - sleep: waits before another attempt.
    ///   - jitter: a number from 0 to 1, anew each time.
    init(
        base: URL, client: HTTPClient = HTTPClient(), retries: RetryPolicy = RetryPolicy(),
        sleep: @escaping Sleep = { try await Task.sleep(for: $0) },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.base = base
        self.client = client
        self.retries = retries
        self.sleep = sleep
        self.jitter = jitter
    }

    func posts(onPage page: Int) async throws(PostsFailure) -> [Post] {
        var attempt = 1
        while true {
            do throws(Miss) {
                return try await posts(at: url(ofPage: page))
            } catch {
                let delay = retries.delay(
                    after: error.failure, retryAfter: error.retryAfter, attempt: attempt, jitter: jitter()
                )
                guard let delay, (try? await sleep(delay)) != nil else { throw error.failure }
                attempt += 1
            }
        }
    }

    private func url(ofPage page: Int) -> URL {
        base.appending(path: "posts").appending(queryItems: [
            URLQueryItem(name: "_page", value: String(page)),
            URLQueryItem(name: "_limit", value: String(PostsFeed.pageSize)),
        ])
    }

    /// One attempt.
    private func posts(at url: URL) async throws(Miss) -> [Post] {
        let answer = try await answer(at: url)
        guard (200..<300).contains(answer.status) else {
            throw Miss(failure: .status(answer.status), retryAfter: answer.retryAfter)
        }
        do {
            return try PostsDocument.posts(in: answer.body)
        } catch {
            throw Miss(failure: error)
        }
    }

    private func answer(at url: URL) async throws(Miss) -> HTTPClient.Answer {
        do {
            return try await client.get(url)
        } catch {
            throw switch error {
            case .unreachable: Miss(failure: .unreachable)
            case .slow: Miss(failure: .slow)
            case .tooLarge: Miss(failure: .tooLarge)
            }
        }
    }
}
