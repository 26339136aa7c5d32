import CMicroHTTPD
import Glibc

/// A response in the form that libmicrohttpd sends. Several event loops can send it at the same time, any number of times.
///
/// Caches store frequent responses in this form, because sending a prepared response allocates nothing.
///
/// `@unchecked Sendable`: it owns one reference to a response of libmicrohttpd. That response is only read after `init`, and a lock
/// protects its reference count.
public final class PreparedResponse: @unchecked Sendable {
    /// The response that was prepared. For a stream, it has the status and the header fields, and its `body` is empty.
    public let response: Response
    /// The body of the response. Several prepared responses can share it.
    public let body: PreparedBody
    let pointer: OpaquePointer
    let refusedFields: [String]

    public convenience init(_ response: Response) {
        self.init(response, closesConnection: false)
    }

    /// Creates a response with a body that other responses have, too.
    public convenience init(status: Int = 200, headers: Headers, body: PreparedBody, note: (any AnyObject & Sendable)? = nil) {
        self.init(Response(status: status, headers: headers, body: body.bytes, note: note), body, closesConnection: false)
    }

    convenience init(_ response: Response, closesConnection: Bool) {
        self.init(response, PreparedBody(response.body), closesConnection: closesConnection)
    }

    private init(_ response: Response, _ body: PreparedBody, closesConnection: Bool) {
        self.response = response
        self.body = body
        pointer = Self.makePointer(body)
        refusedFields = Self.add(response.headers, closesConnection, to: pointer)
    }

    /// Creates the response of a stream. The stream ends when libmicrohttpd frees the response, even if the response was never queued.
    init(_ stream: NativeStream, sending response: StreamingResponse, on connection: Connection, closesConnection: Bool) {
        self.response = Response(status: response.status, headers: response.headers, note: response.note)
        body = PreparedBody([])
        pointer = Self.makePointer(stream, blockSize: connection.speaksHTTP10 ? 16 * 1024 : 1)
        // Without this flag, libmicrohttpd would send the last chunk even in a response that must not have a body.
        if connection.isHeadRequest || [204, 304].contains(response.status) {
            httpd_set_flags(pointer, .RF_HTTP_1_0_COMPATIBLE_STRICT)
        }
        refusedFields = Self.add(response.headers, closesConnection, to: pointer)
    }

    deinit {
        MHD_destroy_response(pointer)
    }

    private static func makePointer(_ body: PreparedBody) -> OpaquePointer {
        let keeper = Unmanaged.passRetained(body)
        // The pointer stays valid, because the `PreparedBody` retains the array, whose buffer is neither moved nor changed.
        let pointer = body.bytes.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer_with_free_callback_cls(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                { Unmanaged<PreparedBody>.fromOpaque($0!).release() },
                keeper.toOpaque()
            )
        }
        guard let pointer else { fatalError("out of memory for a response") }
        return pointer
    }

    /// Creates the response of libmicrohttpd for one stream. Chunks are written into the memory of the connection. A response in HTTP/1.0
    /// has no chunks, and needs a block of memory of its own.
    private static func makePointer(_ stream: NativeStream, blockSize: Int) -> OpaquePointer {
        let pointer = MHD_create_response_from_callback(
            httpd_size_unknown, blockSize,
            { context, _, buffer, size in
                Unmanaged<NativeStream>.fromOpaque(context!).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
            },
            Unmanaged.passRetained(stream).toOpaque(),
            { Unmanaged<NativeStream>.fromOpaque($0!).takeRetainedValue().end() }
        )
        guard let pointer else { fatalError("out of memory for a response") }
        return pointer
    }

    private static func add(_ headers: Headers, _ closesConnection: Bool, to pointer: OpaquePointer) -> [String] {
        let refused = add(headers, to: pointer)
        return closesConnection ? refused + add(["Connection": "close"], to: pointer) : refused
    }

    private static func add(_ headers: Headers, to pointer: OpaquePointer) -> [String] {
        headers.fields.compactMap { field in
            let isAdded = headers.bytes.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { text in
                    let start = text.baseAddress!
                    // A text with a zero byte is not added, because libmicrohttpd would truncate the text at that byte.
                    guard strlen(start + field.start) == field.valueStart - 1 - field.start,
                        strlen(start + field.valueStart) == field.end - field.valueStart
                    else { return MHD_Result.NO }
                    return MHD_add_response_header(pointer, start + field.start, start + field.valueStart)
                }
            }
            return isAdded == .YES ? nil : headers.name(field)
        }
    }
}
