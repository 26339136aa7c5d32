import CMicroHTTPD
import Glibc

/// A response in the form in which the library sends it, to be sent any number of times.
///
/// Whoever caches what is asked for often keeps one of these: answering with it allocates
/// nothing, on any event loop and on several at once.
///
/// `@unchecked Sendable`: it owns one reference to a response of the library, which after `init` only reads it, and
/// counts the references to it under its own lock.
public final class PreparedResponse: @unchecked Sendable {
    /// What it was made of. That of a stream has no body here.
    public let response: Response
    let pointer: OpaquePointer
    /// The names of fields that the library refused.
    let refusedFields: [String]

    public convenience init(_ response: Response) {
        self.init(response, closesConnection: false)
    }

    init(_ response: Response, closesConnection: Bool) {
        self.response = response
        pointer = Self.makePointer(response.body)
        refusedFields = Self.add(response.headers, closesConnection, to: pointer)
    }

    /// The stream's body is over when the library lets go of the response, queued or not.
    init(_ stream: NativeStream, sending response: StreamingResponse, on connection: Connection, closesConnection: Bool) {
        self.response = Response(status: response.status, headers: response.headers)
        pointer = Self.makePointer(stream, blockSize: connection.speaksHTTP10 ? 16 * 1024 : 1)
        // Where there may be no body the library would still send the chunk that ends it. If it may
        // not use chunks it sends none, and closes.
        if connection.asksForHead || [204, 304].contains(response.status) {
            httpd_set_flags(pointer, .RF_HTTP_1_0_COMPATIBLE_STRICT)
        }
        refusedFields = Self.add(response.headers, closesConnection, to: pointer)
    }

    deinit {
        MHD_destroy_response(pointer)
    }

    private static func makePointer(_ body: [UInt8]) -> OpaquePointer {
        let keeper = Unmanaged.passRetained(BodyKeeper(body))
        // The elements of a native array lie in its heap buffer, which stays where it is for
        // as long as the keeper holds it and nobody can change it.
        let pointer = body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer_with_free_callback_cls(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                { Unmanaged<BodyKeeper>.fromOpaque($0!).release() },
                keeper.toOpaque()
            )
        }
        guard let pointer else { fatalError("out of memory for a response") }
        return pointer
    }

    /// One for each stream: the library holds a lock of the response while it asks. Chunks are
    /// written into the connection's memory; only HTTP/1.0 needs a block in the response.
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
                    // The library would cut it there.
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

/// A body that stays in memory until the last response that sends it is gone.
private final class BodyKeeper {
    let body: [UInt8]

    init(_ body: [UInt8]) {
        self.body = body
    }
}
