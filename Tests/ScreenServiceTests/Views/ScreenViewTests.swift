import Testing

@testable import ScreenService

@Suite("Views") struct ScreenViewTests {
    private static func view(
        screen: String = "letters", audience: Audience = .everyone, revision: Int = 1, locale: ScreenLocale = .english,
        parameters: [ScreenView.Argument] = [ScreenView.Argument(name: "q", value: "a")], withheld: [String] = []
    ) -> ScreenView {
        ScreenView(
            screen: screen, audience: audience, revision: revision, locale: locale, parameters: parameters, withheldActions: withheld)
    }

    @Test(arguments: [
        view(screen: "words"), view(audience: .user("ada")), view(revision: 2), view(locale: .french), view(parameters: []),
        view(parameters: [ScreenView.Argument(name: "q", value: "b")]), view(withheld: ["void"]),
    ])
    func viewsThatDifferInOnePropertyAreNotEqual(other: ScreenView) {
        #expect(other != Self.view() && Self.view() != other && other == other)
    }

    @Test func viewsWithTheSamePropertiesAreEqual() {
        #expect(Self.view() == Self.view() && Self.view(withheld: ["void"]) == Self.view(withheld: ["void"]))
        #expect(Self.view(withheld: ["void"]) != Self.view(withheld: ["cook"]))
    }
}
