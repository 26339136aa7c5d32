import CCurl
import Foundation

/// One request and its answer, on the thread that calls it.
///
/// Unsafe pointers to it are held by libcurl while ``perform()`` runs, and no longer.
final class Exchange {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let url: URL
    private let sizeLimit: Int
    private let transfer: Transfer
    private var body: [UInt8] = []
    /// A connection that ends within a head looks to libcurl like one that ends after it.
    private var isHeadComplete = false
    private var isTooLarge = false
    /// Where the answer leads, if it is a redirect.
    private(set) var redirect: URL?

    init(url: URL, sizeLimit: Int, transfer: Transfer) {
        self.url = url
        self.sizeLimit = sizeLimit
        self.transfer = transfer
    }

    func perform() -> Transfer.Outcome {
        guard Self.isReady, let handle = curl_easy_init() else { return .failure(.unreachable) }
        defer { curl_easy_cleanup(handle) }
        let fields = curl_slist_append(nil, "Accept: application/json")
        defer { curl_slist_free_all(fields) }
        let code = withExtendedLifetime(self) {
            let context = Unmanaged.passUnretained(self).toOpaque()
            httpclient_prepare(
                handle, url.absoluteString, fields, curl_off_t(sizeLimit), context, Self.takeLine, Self.takeBody, Self.isLeft
            )
            return curl_easy_perform(handle)
        }
        redirect = httpclient_redirect(handle).flatMap { URL(string: String(cString: $0)) }
        return outcome(code, status: httpclient_status(handle), retryAfter: httpclient_retry_after(handle))
    }

    private func outcome(_ code: CURLcode, status: Int, retryAfter: Int64) -> Transfer.Outcome {
        if isTooLarge || code == CURLE_FILESIZE_EXCEEDED { return .failure(.tooLarge) }
        if code == CURLE_OPERATION_TIMEDOUT { return .failure(.slow) }
        guard code == CURLE_OK, isHeadComplete, status >= 200 else { return .failure(.unreachable) }
        return .success(.init(status: status, retryAfter: retryAfter > 0 ? .seconds(retryAfter) : nil, body: body))
    }

    /// A line of a head, or of what follows a body in chunks: those fields begin no head.
    private func take(line: UnsafeRawBufferPointer) {
        // Where a head follows another one (100 Continue), the last counts.
        if line.starts(with: "HTTP/".utf8) { isHeadComplete = false }
        if line.count <= 2 { isHeadComplete = true }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isTooLarge = body.count + bytes.count > sizeLimit
        if !isTooLarge { body.append(contentsOf: bytes) }
        return !isTooLarge
    }
}

// What libcurl calls.
extension Exchange {
    private static let takeLine: httpclient_take = { bytes, size, count, context in
        of(context).take(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
        return size * count
    }

    private static let takeBody: httpclient_take = { bytes, size, count, context in
        of(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    private static let isLeft: httpclient_left = { context, _, _, _, _ in
        of(context).transfer.isLeft ? 1 : 0
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Exchange {
        Unmanaged.fromOpaque(context!).takeUnretainedValue()
    }
}
