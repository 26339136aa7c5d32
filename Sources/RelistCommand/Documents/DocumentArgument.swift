import ArgumentParser
import Glibc
import ScreenWire

/// A document given on the command line: a file, or `-` for standard input.
struct DocumentArgument: ExpressibleByArgument {
    static let discussion = """
        A document is a file, or - for standard input. One that is not valid is refused with exit code 65, \
        a file that cannot be read with 66; standard output is then empty.
        """

    let path: String

    init(argument: String) {
        path = argument
    }

    private var isStandardInput: Bool { path == "-" }

    /// The name of the document in messages.
    var name: String { isStandardInput ? "standard input" : path }

    static func validate(_ first: DocumentArgument, _ second: DocumentArgument) throws {
        if first.isStandardInput && second.isStandardInput {
            throw ValidationError("Only one of the two documents can be standard input.")
        }
    }

    /// Reads two documents. If both have faults, the error reports the faults of both.
    static func read<First, Second>(
        _ first: DocumentArgument, _ makeFirst: (JSONValue) throws(DocumentFaults) -> First,
        _ second: DocumentArgument, _ makeSecond: (JSONValue) throws(DocumentFaults) -> Second
    ) throws(CommandFault) -> (First, Second) {
        let (firstBytes, secondBytes) = (try first.bytes(), try second.bytes())
        let results = (first.parsed(firstBytes, makeFirst), second.parsed(secondBytes, makeSecond))
        if case (.failure(let a), .failure(let b)) = results { throw .both(a, b) }
        return (try results.0.get(), try results.1.get())
    }

    /// Runs `body`. If `body` throws faults, they are reported as faults of this document.
    func blamed<Value>(for body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let faults as DocumentFaults {
            throw CommandFault.invalid(name, faults)
        }
    }

    private func parsed<Value>(
        _ bytes: [UInt8], _ make: (JSONValue) throws(DocumentFaults) -> Value
    ) -> Result<Value, CommandFault> {
        let json: JSONValue
        do {
            json = try JSONReader.read(bytes)
        } catch {
            return .failure(.notJSON(name, TextPlace(offset: error.offset, in: bytes), error.cause))
        }
        do {
            return .success(try make(json))
        } catch {
            return .failure(.invalid(name, error))
        }
    }

    private func bytes() throws(CommandFault) -> [UInt8] {
        let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY)
        guard descriptor >= 0 else { throw .unreadable(name, errno) }
        defer { if !isStandardInput { close(descriptor) } }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(name, errno) }
            if count == 0 { return bytes }
            bytes += block[..<count]
        }
    }
}

/// A line and column of a text, as editors show them. Both are counted from 1, and columns are counted in bytes.
struct TextPlace: CustomStringConvertible {
    let line: Int
    let column: Int

    init(offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
    }

    var description: String { "\(line):\(column)" }
}
