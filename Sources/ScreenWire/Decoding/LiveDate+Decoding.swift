public import ScreenModel

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LiveDate {
    /// Reads an instant such as `{"$date":"2026-07-12T09:00:00Z","style":"relative"}`. Returns `nil` for any other value. A style that this
    /// version does not know is read as no style.
    public init?(_ value: JSONValue) {
        guard let date = value["$date"].flatMap({ try? $0.decode(Date.self) }) else { return nil }
        let style: Style? = if case .string(let name)? = value["style"] { Style(rawValue: name) } else { nil }
        self.init(date, style: style)
    }
}

extension LiveDate: Decodable {
    public init(from decoder: any Decoder) throws {
        self = try JSONValue.decode("a date", from: decoder, LiveDate.init)
    }
}
