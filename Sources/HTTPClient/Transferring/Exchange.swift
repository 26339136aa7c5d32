import CCurl

/// A transfer by libcurl: a request and the response to it. Only the thread of the client uses this object.
///
/// While the loop contains the handle of libcurl, libcurl has unsafe pointers to this object. Therefore the loop retains the object until
/// the handle is removed.
final class Exchange {
    /// The maximum number of redirects that are followed.
    private static let redirectLimit = 3
    /// The size of the buffer into which libcurl reads from the connection.
    private static let bufferSize = 4096
    private static let (headSizeLimit, headLineLimit) = (65_536, 256)

    let transfer: Transfer
    let handle: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    private let isIdempotent: Bool
    private let isHead: Bool
    private let now: () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant

    private var url: ServerURL
    private var redirectsLeft: Int
    /// The URL of the redirect that the transfer follows next, or nil if it follows none.
    private var redirect: ServerURL?
    private var isSent = false
    private var isPaused = false
    /// A Boolean value that indicates whether the head of the response is complete. It is needed because libcurl reports no error if a
    /// connection closes within a head.
    private var isHeadComplete = false
    private var (headSize, headLineCount) = (0, 0)
    /// The reason why a callback made libcurl abort the transfer.
    private var fault: HTTPClientError?
    private var lastActivity: ContinuousClock.Instant
    private var sentCount: Int64 = 0

    init?(
        _ transfer: Transfer, _ request: HTTPRequest, _ url: ServerURL, connectTimeout: Duration,
        now: @escaping () -> ContinuousClock.Instant
    ) {
        guard let handle = curl_easy_init() else { return nil }
        self.transfer = transfer
        self.handle = handle
        self.url = url
        self.now = now
        headers = Self.list(request)
        isIdempotent = request.isIdempotent
        isHead = request.method == "HEAD"
        redirectsLeft = ["GET", "HEAD"].contains(request.method) ? Self.redirectLimit : 0
        start = now()
        lastActivity = start
        httpclient_prepare(
            handle, headers, Int(connectTimeout / .milliseconds(1)), Self.bufferSize, Unmanaged.passUnretained(self).toOpaque(),
            Self.takeLine, Self.takeBody, Self.sending
        )
        if request.hasBody { request.body.withUnsafeBytes { httpclient_set_body(handle, $0.baseAddress, $0.count) } }
        httpclient_set_method(handle, request.method, isHead ? 1 : 0)
        httpclient_set_url(handle, url.text)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
    }

    private static func list(_ request: HTTPRequest) -> UnsafeMutablePointer<curl_slist>? {
        var lines = request.headers.fields.map { field in
            // libcurl would remove a header that has a colon but no value.
            let isEmpty = field.value.allSatisfy { $0 == " " || $0 == "\t" }
            return isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        // Without these lines, libcurl would declare the body to be an HTML form, and would wait for a 100 response before it sends a long
        // body.
        for name in ["Content-Type", "Expect"] where request.headers[name] == nil { lines.append("\(name):") }
        return lines.reduce(nil) { curl_slist_append($0, $1) }
    }
}

// The loop uses these members.
extension Exchange {
    /// The time at which the transfer fails unless ``timeout()`` extends it. It is nil while the transfer waits for its reader.
    var deadline: ContinuousClock.Instant? {
        switch transfer.reading {
        case .complete(_, let timeout): start + timeout
        case .streamed(let timeout): isPaused ? nil : lastActivity + timeout
        }
    }

    /// Returns the error of a transfer whose deadline has passed; nil if the deadline is extended.
    func timeout() -> HTTPClientError? {
        guard case .streamed = transfer.reading else { return .timedOut(.response) }
        let count = httpclient_sent(handle)
        // The deadline is extended until the connection is established, because libcurl applies its own timeout before that. It is also
        // extended while the body of the request is sent, because the server need not send any bytes meanwhile.
        guard isSent, count == sentCount else {
            (sentCount, lastActivity) = (count, now())
            return nil
        }
        return .timedOut(.idle)
    }

    /// Resumes reading from the connection if it was paused.
    ///
    /// - Returns: The error that ends the transfer, or nil if the transfer continues.
    func resume() -> HTTPClientError? {
        guard isPaused else { return nil }
        isPaused = false
        lastActivity = now()
        let code = curl_easy_pause(handle, CURLPAUSE_CONT)
        return code == CURLE_OK ? nil : error(code)
    }

    /// Returns the result of the transfer after libcurl has ended it. Returns nil if the transfer continues with a redirect.
    func result(_ code: CURLcode) -> Result<Void, HTTPClientError>? {
        if let redirect {
            follow(redirect)
            return nil
        }
        if code == CURLE_OK, isHeadComplete { return .success(()) }
        return .failure(error(code))
    }

    private func follow(_ next: ServerURL) {
        url = next
        redirect = nil
        redirectsLeft -= 1
        (isSent, isHeadComplete, headSize, headLineCount) = (false, false, 0, 0)
        httpclient_set_url(handle, next.text)
    }

    private func error(_ code: CURLcode) -> HTTPClientError {
        if let fault { return fault }
        switch code {
        // The timeout for connecting is the only timeout that is set in libcurl.
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(.connect)
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: return .exhausted
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE:
            return .tls
        case CURLE_URL_MALFORMAT: return .invalidRequest(.url)
        default: return isSent ? .incomplete : .unreachable
        }
    }
}

// libcurl calls these functions.
extension Exchange {
    /// Records that libcurl is about to send the request. libcurl sends a request again if a reused connection closes without a response.
    ///
    /// - Returns: `false` if the request must not be sent again.
    private func send() -> Bool {
        if isSent && !isIdempotent { return fail(.incomplete) }
        isSent = true
        lastActivity = now()
        return true
    }

    /// Processes a line of a head, or a trailer line after a chunked body. Returns `false` if the transfer must be aborted.
    private func take(line: UnsafeRawBufferPointer) -> Bool {
        lastActivity = now()
        (headSize, headLineCount) = (headSize + line.count, headLineCount + 1)
        if headSize > Self.headSizeLimit || headLineCount > Self.headLineLimit { return fail(.tooLarge) }
        let isLast = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        let status = httpclient_status(handle)
        // An informational response, such as 100 Continue, is followed by another head.
        guard isLast, !isHeadComplete, status >= 200 else { return true }
        isHeadComplete = true
        let headers = receivedHeaders()
        redirect = redirectTarget(status, headers)
        if redirect != nil { return true }
        if case .complete(let limit, _) = transfer.reading, !isHead, status != 304, status != 204,
            let count = headers["Content-Length"].flatMap({ Int($0) }), count > limit
        {
            return fail(.tooLarge)
        }
        let delay = httpclient_retry_after(handle)
        transfer.accept(ResponseHead(status: status, headers: headers, retryAfter: delay > 0 ? .seconds(delay) : nil))
        return true
    }

    private func receivedHeaders() -> HTTPHeaders {
        var (headers, header) = (HTTPHeaders(), curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, nil))
        while let field = header {
            let value = String(cString: field.pointee.value)
            // If a value is empty, libcurl returns the carriage return at the end of the line as the value.
            headers.append(String(cString: field.pointee.name), value == "\r" ? "" : value)
            header = curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, field)
        }
        return headers
    }

    private func redirectTarget(_ status: Int, _ headers: HTTPHeaders) -> ServerURL? {
        guard redirectsLeft > 0, [301, 302, 303, 307, 308].contains(status), let location = headers["Location"], !location.isEmpty,
            let next = ServerURL(location, relativeTo: url), next.isOnServer(of: url)
        else { return nil }
        return next
    }

    /// Processes bytes of the body. Returns the number of consumed bytes. Returns `CURL_WRITEFUNC_PAUSE` to pause the transfer, or 0 to
    /// abort it.
    private func take(body: UnsafeRawBufferPointer) -> Int {
        // The body of a redirect is not needed. Instead of reading it, the transfer closes the connection, and follows the redirect on a
        // different one.
        if redirect != nil { return 0 }
        lastActivity = now()
        switch transfer.accept(body) {
        case .accepted: return body.count
        case .full:
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        case .tooLarge: fault = .tooLarge
        case .ended: fault = .cancelled
        }
        return 0
    }

    private func fail(_ error: HTTPClientError) -> Bool {
        fault = error
        return false
    }

    static func of(_ context: UnsafeMutableRawPointer?) -> Exchange {
        Unmanaged.fromOpaque(context!).takeUnretainedValue()
    }

    private static let takeLine: httpclient_take = { bytes, size, count, context in
        of(context).take(line: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    private static let takeBody: httpclient_take = { bytes, size, count, context in
        of(context).take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private static let sending: httpclient_sending = { context, _, _, _, _ in
        of(context).send() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
}
