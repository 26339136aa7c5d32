import Observation
import ScreenClient

/// The view model of a screen that searches mountains.
@MainActor @Observable
public final class MountainsModel {
    let screen: LiveScreen
    /// The text in the search field.
    public private(set) var text = ""

    init(screen: LiveScreen) {
        self.screen = screen
    }

    public var banner: Banner? { screen.banner }
    /// The text that states the number of results.
    public var count: String { screen.model.sections.first?.header?.value(as: CountHeader.self)?.text ?? "" }
    public var mountains: [MountainCell] {
        screen.model.sections.flatMap(\.cells).compactMap { $0.value(as: MountainCell.self) }
    }
    /// The text that is shown below an empty list, or `nil` if there are results.
    public var explanation: String? { screen.model.sections.first?.footer?.value(as: EmptyFooter.self)?.text }

    public func follow() async {
        await screen.follow()
    }

    /// Searches for a text. The view calls this function each time the user changes the text. Late results for an earlier text are not
    /// shown.
    public func search(_ text: String) async {
        self.text = text
        // The error is ignored, because the banner shows it.
        try? await screen.show(["q": text.isEmpty ? nil : text])
    }
}

public struct MountainCell: Decodable, Hashable, Sendable, Identifiable {
    public let id: String
    public let name: String
    public let height: String
    public let range: String?
    public let country: String
}

public struct CountHeader: Decodable, Sendable {
    public let text: String
}

public struct EmptyFooter: Decodable, Sendable {
    public let text: String
}
