import Glibc
import HTTPClient
import ScreenWire

/// The keys by which tokens are verified: a JSON Web Key Set (RFC 7517, section 5).
struct KeySet: Sendable {
    let keys: [VerificationKey]
    /// How many of its keys are of no use here.
    let leftOutCount: Int

    /// How many keys are looked at.
    private static let countLimit = 256

    init(_ bytes: [UInt8], acceptsSecrets: Bool) async throws(KeySetFault) {
        let document: JSONValue
        do { document = try JSONReader.read(bytes) } catch { throw .notJSON(error) }
        guard case .array(let listed)? = document["keys"] else { throw .noKeySet }
        var (keys, unfit): ([VerificationKey], [VerificationKey.Unfitness]) = ([], [])
        for key in listed.prefix(Self.countLimit) {
            do { keys.append(try await VerificationKey(key, acceptsSecrets: acceptsSecrets)) } catch { unfit.append(error) }
        }
        guard !keys.isEmpty else { throw .noUsableKey(unfit) }
        self.keys = keys
        leftOutCount = listed.count - keys.count
    }

    /// The key for a token that names one, or that needs to name none as there is one key only that it can be.
    func key(named id: String?, for algorithm: SigningAlgorithm) -> VerificationKey? {
        let possible = keys.filter { key in
            key.algorithm == algorithm && (id == nil || key.id.map(ExactText.init) == id.map(ExactText.init))
        }
        return possible.count == 1 ? possible[0] : nil
    }
}

/// Why there is no key set.
enum KeySetFault: Error, Hashable {
    /// The system's code for why the file cannot be read.
    case unreadable(code: Int32)
    /// It is a folder, a pipe, or something else that is no file.
    case noFile
    case tooLarge
    case unreachable(HTTPClient.Failure)
    /// The server of the keys has answered with another status than 200.
    case status(Int)
    case notJSON(JSONSyntaxError)
    case noKeySet
    case noUsableKey([VerificationKey.Unfitness])
}

extension KeySetFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreadable(let code): "it cannot be read: \(String(cString: strerror(code)))"
        case .noFile: "it is no file"
        case .tooLarge: "it has more than a megabyte"
        case .unreachable(.slow): "its server has not answered in time"
        case .unreachable(.tooLarge): "it has more than a megabyte"
        case .unreachable(.unreachable): "its server cannot be reached"
        case .status(let status): "its server answered \(status)"
        case .notJSON(let error): "it is not JSON, from byte \(error.offset) on"
        case .noKeySet: #"it is no JSON Web Key Set, {"keys":[…]}"#
        case .noUsableKey(let unfit) where unfit.isEmpty: "it has no keys"
        case .noUsableKey(let unfit): "it has no key that can be used: " + Set(unfit.map(\.description)).sorted().joined(separator: ", ")
        }
    }
}

extension VerificationKey.Unfitness {
    var description: String {
        switch self {
        case .otherUse: "one is not for signatures"
        case .otherAlgorithm: "one is for none of \(SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", "))"
        case .malformed: "one is malformed"
        case .secretFromElsewhere: "one is a secret, which is taken from a file alone"
        case .shortSecret: "a secret has fewer than 32 bytes"
        }
    }
}
