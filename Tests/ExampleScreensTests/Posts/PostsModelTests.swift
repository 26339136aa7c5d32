@testable import ExampleScreens
import ScreenModel
import ScreenService
import Storage
import Testing

struct PostsModelTests {
    @Test func aPartOfThePostsLeadsToMore() {
        #expect(
            transcript(Posts.model(of: posts(2), outOf: 120, in: .english)) == [
                "section posts",
                "post-1 post title=Title 1 body=Body 1",
                "post-2 post title=Title 2 body=Body 2",
                "footer more title=Show more detail=2 of 120 posts → posts limit=22",
            ]
        )
    }

    @Test func frenchUsersReadFrenchAroundThePosts() {
        #expect(
            transcript(Posts.model(of: posts(1), outOf: 120, in: .french)) == [
                "section posts",
                "post-1 post title=Title 1 body=Body 1",
                "footer more title=Afficher la suite detail=1 sur 120 publications → posts limit=21",
            ]
        )
    }

    @Test(arguments: [
        (0, "There are no posts", "Il n’y a aucune publication"),
        (1, "That was the only post", "C’était la seule publication"),
        (2, "That was all 2 posts", "C’étaient les 2 publications"),
    ])
    func belowAllPostsStandsTheEnd(count: Int, english: String, french: String) {
        #expect(footer(count, outOf: count, .english) == "footer end text=" + english)
        #expect(footer(count, outOf: count, .french) == "footer end text=" + french)
    }

    @Test(arguments: [(20, 40), (980, 1000), (981, 1000), (999, 1000)])
    func theLinkAsksForTwentyMoreUpToTheLimit(shown: Int, limit: Int) {
        #expect(footer(shown, outOf: 2000, .english)?.hasSuffix("→ posts limit=\(limit)") == true)
    }

    @Test func atTheLimitNoLinkLeadsOn() {
        #expect(footer(1000, outOf: 2000, .english) == "footer end text=1,000 of 2,000 posts")
    }

    private func footer(_ shown: Int, outOf count: Int, _ locale: ScreenLocale) -> String? {
        transcript(Posts.model(of: posts(shown), outOf: count, in: locale)).last
    }

    private func posts(_ count: Int) -> [Post] {
        (0..<count).map { Post(id: $0 + 1, userID: 1, title: "Title \($0 + 1)", body: "Body \($0 + 1)") }
    }
}
