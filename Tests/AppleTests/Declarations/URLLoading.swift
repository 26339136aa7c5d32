// The part of Foundation's URL loading that `ScreenClient` uses. On Linux, URL loading is in the module FoundationNetworking, which does
// not support streams.

@_exported import Foundation

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
    open var requestCachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy
    open var httpMaximumConnectionsPerHost = 6
}

public struct URLRequest: Sendable {
    public enum CachePolicy: UInt, Sendable {
        case useProtocolCachePolicy
        case reloadIgnoringLocalCacheData
    }

    public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60) {}
    public var url: URL? { nil }
    public var httpMethod: String?
    public var httpBody: Data?
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
}

open class URLResponse: NSObject, @unchecked Sendable {}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    open var statusCode: Int { 200 }
    open var allHeaderFields: [AnyHashable: Any] { [:] }
}

public struct URLError: Error {
    public enum Code: Sendable {
        case badURL, badServerResponse
    }

    public init(_ code: Code) {}
}

open class URLSession: NSObject, @unchecked Sendable {
    public init(configuration: URLSessionConfiguration) {}
    public func bytes(for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (AsyncBytes, URLResponse) {
        fatalError()
    }
    open func finishTasksAndInvalidate() {}

    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8

        public struct AsyncIterator: AsyncIteratorProtocol {
            public mutating func next() async throws -> UInt8? { nil }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    open var originalRequest: URLRequest? { nil }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

// The requirements of Apple's protocol are optional. The declaration has only the requirement that `ScreenClient` implements.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
    ) async -> URLRequest?
}
