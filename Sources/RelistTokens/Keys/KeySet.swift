import Glibc
import HTTPClient
import ScreenWire

/// The keys that verify tokens: a JSON Web Key Set (RFC 7517, section 5).
struct KeySet: Sendable {
    let keys: [VerificationKey]
    /// The number of keys in the set that cannot be used.
    let leftOutCount: Int

    /// The maximum number of keys that are read. Further keys of the set are not used.
    private static let countLimit = 256

    init(_ bytes: [UInt8], acceptsSecrets: Bool) async throws(KeySetFault) {
        let document: JSONValue
        do { document = try JSONReader.read(bytes) } catch { throw .notJSON(error) }
        guard case .array(let listed)? = document["keys"] else { throw .noKeySet }
        var (keys, faults): ([VerificationKey], [VerificationKey.Fault]) = ([], [])
        for key in listed.prefix(Self.countLimit) {
            do { keys.append(try await VerificationKey(key, acceptsSecrets: acceptsSecrets)) } catch { faults.append(error) }
        }
        guard !keys.isEmpty else { throw .noUsableKey(faults) }
        self.keys = keys
        leftOutCount = listed.count - keys.count
    }

    /// Returns the only key with this algorithm and this id, or with any id if `id` is nil. Returns nil if several keys match.
    func key(named id: String?, for algorithm: SigningAlgorithm) -> VerificationKey? {
        let possible = keys.filter { key in
            key.algorithm == algorithm && (id == nil || key.id.map(ExactText.init) == id.map(ExactText.init))
        }
        return possible.count == 1 ? possible[0] : nil
    }
}

/// An error in reading a key set.
enum KeySetFault: Error, Hashable {
    /// The file cannot be read. The code is an `errno`.
    case unreadable(code: Int32)
    /// The path refers to a folder, a pipe or another item that is not a regular file.
    case noFile
    case tooLarge
    case unreachable(HTTPClientError)
    /// The response has a status other than 200.
    case status(Int)
    case notJSON(JSONSyntaxError)
    case noKeySet
    case noUsableKey([VerificationKey.Fault])
}

extension KeySetFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreadable(let code): "it cannot be read: \(String(cString: strerror(code)))"
        case .noFile: "it is not a file"
        case .tooLarge: "it has more than a megabyte"
        case .unreachable(.timedOut): "its server has not responded in time"
        case .unreachable(.tooLarge): "it has more than a megabyte"
        case .unreachable: "its server cannot be reached"
        case .status(let status): "its server responded with status \(status)"
        case .notJSON(let error): "it is not JSON, from byte \(error.offset) on"
        case .noKeySet: #"it is not a JSON Web Key Set, {"keys":[…]}"#
        case .noUsableKey([]): "it has no keys"
        case .noUsableKey(let faults): "it has no key that can be used: " + Set(faults.map(\.description)).sorted().joined(separator: ", ")
        }
    }
}

extension VerificationKey.Fault {
    var description: String {
        switch self {
        case .otherUse: "one is not for signatures"
        case .otherAlgorithm: "one is not for any of \(SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", "))"
        case .malformed: "one is malformed"
        case .secretFromElsewhere: "one is a secret, which is accepted only in a file"
        case .shortSecret: "a secret has fewer than 32 bytes"
        }
    }
}
