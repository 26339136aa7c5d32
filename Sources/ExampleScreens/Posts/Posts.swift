public import ExampleRecords
public import Foundation
public import Logging
import ScreenModel
public import ScreenService

/// The first posts, and more of them as often as its footer is followed.
///
/// The posts come from an upstream, a page at a time, or from the store where there is none. From an
/// upstream, whoever asks for more than is loaded waits for it a moment: a request answers with posts
/// rather than with a promise of them, as long as the upstream is quick or fails quickly. When it is
/// slow, the answer shows what is there with `loading` below it, and the rest comes as changesets, to
/// whoever waits or asks again. So nobody looks at nothing for long, and no request hangs on another server.
///
/// A refresh fetches the first page, which is shown at once above what followed it before; of the other
/// pages it fetches those that somebody still looks at.
struct Posts: Screen {
    typealias Model = TableViewModel<AnyView, PostCell>

    static let name = "posts"
    static var viewTypes: [any ViewContent.Type]? {
        [CountHeader.self, MoreFooter.self, LoadingFooter.self, FailureFooter.self, EndFooter.self]
    }
    /// How many more the footer asks for.
    static let step = 20
    static let limits = 1...1000
    static let limit = Parameter.integer(
        "limit", title: Text("Number", fr: "Nombre"), in: limits, default: step,
        Text("How many posts to show.", fr: "Combien de publications afficher.")
    )
    static var example: ScreenExample? { ScreenExample(source: #filePath) }

    let title = Text("Posts", fr: "Publications")
    let visibility = Visibility.everyone
    let parameters: [any ParameterDeclaring] = [limit]
    let actions = [refresh, retry]
    let store: Store<PostsTransaction>
    /// The loader of posts of an upstream; nil where the store has them.
    var loader: PostsLoader?

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        ScreenContent(
            title: title.in(request.locale),
            model: Self.model(of: try await excerpt(upTo: request[Self.limit]), in: request.locale)
        )
    }

    /// Tries again what the upstream failed to bring.
    func whileWatched(by audience: Audience) async {
        await loader?.retryFailures()
    }

    private func excerpt(upTo limit: Int) async throws -> PostsExcerpt {
        if let loader { return PostsExcerpt(of: try await loader.posts(upTo: limit), upTo: limit) }
        let (posts, count) = try await store.read { try ($0.posts(first: limit), $0.postCount()) }
        return PostsExcerpt(of: posts, outOf: count)
    }

    static func model(of excerpt: PostsExcerpt, in locale: ScreenLocale) -> Model {
        let texts = PostsTexts(locale: locale)
        return Model(
            section: Model.Section(
                id: "posts", header: AnyView(header(of: excerpt, texts)), footer: footer(of: excerpt, texts),
                entities: excerpt.posts
            ) { PostCell(post: $0) }
        )
    }

    private static func header(of excerpt: PostsExcerpt, _ texts: PostsTexts) -> CountHeader {
        CountHeader(
            title: excerpt.count.map(texts.count) ?? texts.first(excerpt.posts.count),
            actions: [OfferedAction(refresh, in: texts.locale, isDisabled: excerpt.isRefreshing)]
        )
    }

    private static func footer(of excerpt: PostsExcerpt, _ texts: PostsTexts) -> AnyView {
        let shown = excerpt.posts.count
        return switch excerpt.rest {
        case .loading: AnyView(LoadingFooter(text: Text("Loading posts…", fr: "Chargement des publications…").in(texts.locale)))
        case .failed(let failure):
            AnyView(FailureFooter(title: retry.title(in: texts.locale), text: failure.text.in(texts.locale)))
        case .none: AnyView(EndFooter(text: texts.end(shown)))
        case .more where shown >= limits.upperBound: AnyView(EndFooter(text: texts.shown(shown, outOf: excerpt.count)))
        case .more:
            AnyView(
                MoreFooter(
                    title: Text("Show more", fr: "Afficher la suite").in(texts.locale), detail: texts.shown(shown, outOf: excerpt.count),
                    limit: min(shown + step, limits.upperBound)
                )
            )
        }
    }
}

extension ExampleScreens {
    /// Runs a task while this process leads, again each time that it comes to lead. Once it leads no more, the task is cancelled.
    public typealias WhileLeading = @Sendable (_ body: @escaping @Sendable () async -> Void) async -> Void

    /// Posts, from an upstream or from the store.
    ///
    /// - Parameters:
    ///   - upstream: the `http` or `https` URL to whose path `/posts` is added; nil takes the posts of the store.
    ///   - topics: told when something changes that is not in the store.
    ///   - patience: how long who asks for posts waits for the upstream.
    ///   - logger: told what the upstream fails to bring.
    ///   - feed: what keeps the state of the upstream's posts for all processes that serve the screen, and announces to
    ///     `topics`; nil keeps one in this process.
    ///   - whileLeading: runs a task while this process is the one that requests posts of the upstream. The others send it their
    ///     requests by the feed.
    public static func posts(
        store: Store<PostsTransaction>, upstream: URL?, topics: Topics, patience: Duration,
        logger: Logger, feed: Store<PostsFeedTransaction>? = nil, whileLeading: @escaping WhileLeading = { await $0() }
    ) -> any Screen {
        Posts(
            store: store,
            loader: upstream.map { url in
                PostsLoader(
                    source: LoggedPosts(source: PostsUpstream(base: url), logger: logger), topics: topics,
                    feed: feed.map { SharedPostsFeed(store: $0, upstream: url.absoluteString, topics: topics) }, whileLeading: whileLeading,
                    patience: patience
                )
            }
        )
    }
}

// The answer has what came of them where the upstream is quick. The posts of the store are always
// as they are; there is nothing to do then.
extension Posts {
    static let refresh = Action(
        "refresh", title: Text("Refresh", fr: "Actualiser"),
        Text("Fetches the first posts again.", fr: "Cherche à nouveau les premières publications.")
    ) { (posts: Posts, _) in
        try await posts.loader?.perform(.refresh)
    }

    static let retry = Action(
        "retry", title: Text("Try again", fr: "Réessayer"), Text("Fetches what failed.", fr: "Cherche ce qui a échoué.")
    ) { (posts: Posts, _) in
        try await posts.loader?.perform(.retry)
    }
}
