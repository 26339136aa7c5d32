import Foundation
import HTTPClient

/// The status and the text of a response.
struct Answer: Equatable {
    let status: Int
    let body: String

    init(_ status: Int, _ body: String) {
        (self.status, self.body) = (status, body)
    }

    init(_ response: HTTPResponse) {
        self.init(response.status, String(decoding: response.body, as: UTF8.self))
    }
}

extension HTTPClient {
    /// Sends a request with a timeout of a day, which no test reaches. Returns the status and the text of the response.
    func answer(
        _ method: String = "GET", _ url: URL, headers: HTTPHeaders = [:], body: String = "", bodyLimit: Int = 1 << 20
    ) async throws(HTTPClientError) -> Answer {
        let request = HTTPRequest(method, url, headers: headers, body: Array(body.utf8))
        return Answer(try await send(request, bodyLimit: bodyLimit, timeout: .seconds(86_400)))
    }
}
