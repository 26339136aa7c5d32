import CCurl

/// An absolute URL with the scheme `http` or `https`. libcurl parses the URL, so that the checks apply to the same server that libcurl
/// connects to.
struct ServerURL: Sendable {
    let text: String
    private let origin: [String]
    private let user: String?
    private let password: String?

    /// Creates the URL from a text. Returns nil if the text is not a valid URL with a host and the scheme `http` or `https`.
    ///
    /// - Parameters:
    ///   - text: A URL, which may be relative if there is a base.
    ///   - base: The URL to which `text` is relative.
    init?(_ text: String, relativeTo base: ServerURL? = nil) {
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        if let base, curl_url_set(url, CURLUPART_URL, base.text, 0) != CURLUE_OK { return nil }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_URLENCODE)) == CURLUE_OK else { return nil }
        func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var characters: UnsafeMutablePointer<CChar>?
            guard curl_url_get(url, part, &characters, UInt32(flags)) == CURLUE_OK, let characters else { return nil }
            defer { curl_free(characters) }
            return String(cString: characters)
        }
        guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), ["http", "https"].contains(scheme),
            let host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
            let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT), let text = part(CURLUPART_URL)
        else { return nil }
        self.text = text
        origin = [scheme, host, port]
        (user, password) = (part(CURLUPART_USER), part(CURLUPART_PASSWORD))
    }

    /// Returns a Boolean value that indicates whether this URL has the same origin as another URL (RFC 6454). If this URL has a user or a
    /// password, both must be the same in the other URL.
    func isOnServer(of other: ServerURL) -> Bool {
        origin == other.origin && (user == nil && password == nil || user == other.user && password == other.password)
    }
}
