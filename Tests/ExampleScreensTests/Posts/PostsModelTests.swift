import ExampleRecords
import ScreenModel
import ScreenService
import Testing

@testable import ExampleScreens

struct PostsModelTests {
    @Test func theFooterLinksToMorePosts() {
        #expect(
            lines(stored(2, outOf: 120), .english) == [
                "section posts",
                "header count title=120 posts [Refresh: refresh!]",
                "post-1 post title=Title 1 body=Body 1",
                "post-2 post title=Title 2 body=Body 2",
                "footer more title=Show more detail=2 of 120 posts → posts limit=22",
            ]
        )
    }

    @Test func theTextsAroundThePostsAreTranslatedIntoFrench() {
        #expect(
            lines(stored(1, outOf: 120), .french) == [
                "section posts",
                "header count title=120 publications [Actualiser: refresh!]",
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
    func theFooterBelowAllPostsStatesTheirNumber(count: Int, english: String, french: String) {
        #expect(footer(stored(count, outOf: count)) == "footer end text=" + english)
        #expect(footer(stored(count, outOf: count), .french) == "footer end text=" + french)
    }

    @Test(arguments: [
        (0, "No posts", "Aucune publication"), (1, "1 post", "1 publication"), (1000, "1,000 posts", "1 000 publications"),
    ])
    func theHeaderStatesTheNumberOfPosts(count: Int, english: String, french: String) {
        let french = french.replacing(" 000", with: "\u{202F}000")
        #expect(header(stored(min(count, 20), outOf: count)) == "header count title=\(english) [Refresh: refresh!]")
        #expect(header(stored(min(count, 20), outOf: count), .french) == "header count title=\(french) [Actualiser: refresh!]")
    }

    @Test(arguments: [(20, 40), (980, 1000), (981, 1000), (999, 1000)])
    func theFooterLinkAddsTwentyPostsUpToTheMaximum(shown: Int, limit: Int) {
        #expect(footer(stored(shown, outOf: 2000))?.hasSuffix("→ posts limit=\(limit)") == true)
    }

    @Test func aListOfTheMaximumLengthHasNoLinkToMorePosts() {
        #expect(footer(stored(1000, outOf: 2000)) == "footer end text=1,000 of 2,000 posts")
        #expect(footer(loaded(50, upTo: 1000)) == "footer end text=1,000 posts")
    }

    // MARK: Posts from an upstream

    @Test func theHeaderStatesTheNumberOfShownPostsIfTheTotalIsUnknown() {
        #expect(header(loaded(2, upTo: 40)) == "header count title=The first 40 posts [Refresh: refresh!]")
        #expect(header(loaded(2, upTo: 40), .french) == "header count title=Les 40 premières publications [Actualiser: refresh!]")
        #expect(header(loaded(1, upTo: 1)) == "header count title=The first post [Refresh: refresh!]")
        #expect(footer(loaded(2, upTo: 20)) == "footer more title=Show more detail=20 posts → posts limit=40")
        #expect(footer(loaded(2, upTo: 40)) == "footer more title=Show more detail=40 posts → posts limit=60")
    }

    @Test func theHeaderStatesTheNumberOfAllPostsAfterTheLastPageIsLoaded() {
        let feed = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .fetched([], page: 2))
        #expect(footer(PostsExcerpt(of: feed, upTo: 40)) == "footer end text=That was all 20 posts")
        #expect(header(PostsExcerpt(of: feed, upTo: 40)) == "header count title=20 posts [Refresh: refresh!]")
        #expect(footer(PostsExcerpt(of: feed, upTo: 19)) == "footer more title=Show more detail=19 of 20 posts → posts limit=39")
    }

    @Test func theFooterSaysThatPostsAreLoading() {
        let beginning = PostsExcerpt(of: after(.fetch(upTo: 20)), upTo: 20)
        #expect(
            lines(beginning, .english) == [
                "section posts", "header count title=No posts yet [Refresh: refresh!]", "footer loading text=Loading posts…",
            ]
        )
        let more = PostsExcerpt(of: after(.fetch(upTo: 40), .fetched(page(1), page: 1)), upTo: 40)
        #expect(footer(more, .french) == "footer loading text=Chargement des publications…")
        #expect(more.posts == page(1))
    }

    @Test func theFooterBelowTheLoadedPostsShowsAFailureAndOffersARetry() {
        let feed = after(.fetch(upTo: 40), .fetched(page(1), page: 1), .failed(.slow, page: 2))
        let excerpt = PostsExcerpt(of: feed, upTo: 40)
        #expect(excerpt.posts == page(1))
        #expect(
            footer(excerpt) == "footer failure title=Try again text=The source of the posts takes too long to answer. → retry!"
        )
        #expect(footer(PostsExcerpt(of: feed, upTo: 20)) == "footer more title=Show more detail=20 posts → posts limit=40")
    }

    @Test func theRefreshActionIsDisabledDuringARefreshAndTheFooterShowsAFailedRefresh() {
        let feed = after(.fetch(upTo: 20), .fetched(page(1), page: 1), .refresh)
        #expect(header(PostsExcerpt(of: feed, upTo: 20)) == "header count title=The first 20 posts [Refresh: refresh! disabled]")
        #expect(footer(PostsExcerpt(of: feed, upTo: 20))?.hasPrefix("footer more") == true)
        let failed = after(.failed(.notJSON, page: 1), in: feed)
        #expect(header(PostsExcerpt(of: failed, upTo: 20)) == "header count title=The first 20 posts [Refresh: refresh!]")
        #expect(footer(PostsExcerpt(of: failed, upTo: 20))?.hasPrefix("footer failure") == true)
    }

    @Test(arguments: [
        (PostsFailure.unreachable, "cannot be reached.", "injoignable."),
        (.slow, "takes too long to answer.", "met trop de temps à répondre."),
        (.status(503), "answered with an error (503).", "a répondu par une erreur (503)."),
        (.notJSON, "answered with something other than JSON.", "a répondu par autre chose que du JSON."),
        (.wrongShape(at: "/3/id"), "other than posts (/3/id).", "que des publications (/3/id)."),
        (.wrongShape(at: ""), "other than posts.", "que des publications."),
        (.tooLarge, "is too large.", "est trop volumineuse."),
    ])
    func eachFailureHasATextForUsers(failure: PostsFailure, english: String, french: String) {
        #expect(failure.text.in(.english).hasSuffix(english))
        #expect(failure.text.in(.french).hasSuffix(french))
    }

    private func header(_ excerpt: PostsExcerpt, _ locale: ScreenLocale = .english) -> String {
        lines(excerpt, locale)[1]
    }

    private func footer(_ excerpt: PostsExcerpt, _ locale: ScreenLocale = .english) -> String? {
        lines(excerpt, locale).last
    }

    /// Returns a transcript of the screen that shows the given posts. The actions of the header are in brackets, and the action of the
    /// footer is written as `→ retry!`.
    private func lines(_ excerpt: PostsExcerpt, _ locale: ScreenLocale) -> [String] {
        let model = Posts.model(of: excerpt, in: locale)
        var lines = transcript(model)
        for action in model[0].header?.actions ?? [] {
            lines[1] += " [\(action.title): \(action.name)!\(action.isDisabled ? " disabled" : "")]"
        }
        if let action = model[0].footer?.selection?.action { lines[lines.count - 1] += " → \(action.name)!" }
        return lines
    }

    private func stored(_ shown: Int, outOf count: Int) -> PostsExcerpt {
        PostsExcerpt(of: (0..<shown).map(post), outOf: count)
    }

    /// Returns an excerpt of the posts after some full pages were loaded.
    ///
    /// - Parameter pages: the number of loaded pages. The last page of the upstream is not loaded.
    private func loaded(_ pages: Int, upTo limit: Int) -> PostsExcerpt {
        let feed = (1...pages).reduce(into: after(.fetch(upTo: pages * 20))) {
            PostsFeed.reduce(&$0, .fetched(page($1), page: $1))
        }
        return PostsExcerpt(of: feed, upTo: limit)
    }

    private func after(_ events: PostsFeed.Event..., in state: PostsFeed.State = .init()) -> PostsFeed.State {
        events.reduce(into: state) { PostsFeed.reduce(&$0, $1) }
    }

    private func post(_ index: Int) -> Post {
        Post(id: index + 1, userID: 1, title: "Title \(index + 1)", body: "Body \(index + 1)")
    }
}
