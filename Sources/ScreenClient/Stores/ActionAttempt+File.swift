import Foundation
import ScreenModel
import ScreenWire

// The JSON of an attempt in a file. The numbers of the input keep all their digits.
extension ActionAttempt {
    var bytes: [UInt8] {
        var members: OrderedFields<JSONValue> = [
            "key": .string(key), "action": .string(action), "input": input, "base": .string(baseURL), "screen": .string(view.screen),
            "created": .double(created.timeIntervalSince1970),
            "parameters": .object(view.parameters.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value)) }),
        ]
        if let cell { members["cell"] = .string(cell) }
        if let revision = view.revision { members["revision"] = .int(revision) }
        if let locale = view.locale { members["locale"] = .string(locale) }
        var writer = JSONWriter()
        JSONValue.object(members).write(to: &writer)
        return writer.bytes
    }

    /// Reads an attempt of a user from the bytes of its file. Returns `nil` if the file is damaged.
    init?(_ bytes: [UInt8], of user: String) {
        guard let json = try? JSONReader.read(bytes) else { return nil }
        func text(_ name: String) -> String? { if case .string(let text) = json[name] { text } else { nil } }
        guard let key = text("key"), let action = text("action"), let base = text("base"), let screen = text("screen"),
            let input = json["input"], case .number(let created) = json["created"], let created = Double(created),
            case .object(let parameters) = json["parameters"]
        else { return nil }
        var values: [String: String] = [:]
        for member in parameters { if case .string(let value) = member.value { values[member.name] = value } }
        self.init(
            key: key, action: action, cell: text("cell"), input: input,
            view: ViewAddress(screen: screen, parameters: values, revision: json["revision"]?.wholeNumber, locale: text("locale")),
            baseURL: base, user: user, created: Date(timeIntervalSince1970: created))
    }
}
