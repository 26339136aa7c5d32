public import ExampleRecords
public import Foundation
public import Logging
import ScreenModel
public import ScreenService

/// A list of posts, whose footer links to a longer list.
///
/// The posts come from an upstream, page by page. Without an upstream, they come from the store. A request for posts that are not loaded
/// yet waits briefly for the upstream. If the upstream is slow, the response has only the loaded posts, and the footer says that more posts
/// are loading. Followers receive the missing posts later as changesets.
///
/// A refresh fetches the first page, and shows it at once above the earlier posts. The following pages are fetched only if a view with
/// followers shows them.
struct Posts: Screen {
    typealias Model = TableViewModel<AnyView, PostCell>

    static let name = "posts"
    static var viewTypes: [any ViewContent.Type]? {
        [CountHeader.self, MoreFooter.self, LoadingFooter.self, FailureFooter.self, EndFooter.self]
    }
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
    /// The loader of the upstream's posts, or `nil` if the screen shows the posts in the store.
    var loader: PostsLoader?

    func content(for request: ScreenRequest) async throws -> ScreenContent<Model> {
        ScreenContent(
            title: title.in(request.locale),
            model: Self.model(of: try await excerpt(upTo: request[Self.limit]), in: request.locale)
        )
    }

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
    /// A function that runs `body` in a task whenever this process is the leader. It cancels the task when the leadership ends.
    public typealias WhileLeading = @Sendable (_ body: @escaping @Sendable () async -> Void) async -> Void

    /// Creates the screen of posts, from an upstream or from the store.
    ///
    /// - Parameters:
    ///   - upstream: the base URL of the upstream (`http` or `https`). `/posts` is appended to its path. If the URL is `nil`, the screen
    ///     shows the posts in the store.
    ///   - topics: the object that announces the topic of the upstream's posts when they change.
    ///   - patience: the maximum time that a request waits for the upstream.
    ///   - feed: the store of the loading state, which several processes share. If it is `nil`, the state is kept in this process.
    ///   - whileLeading: a function that runs the task for fetching posts while this process is the leader. The other processes only write
    ///     their requests to the shared state.
    public static func posts(
        store: Store<PostsTransaction>, upstream: URL?, topics: Topics, patience: Duration,
        logger: Logger, feed: Store<PostsFeedTransaction>? = nil, whileLeading: @escaping WhileLeading = { await $0() }
    ) -> any Screen {
        Posts(
            store: store,
            loader: upstream.map { url in
                PostsLoader(
                    source: PostsUpstream(base: url, logger: logger), topics: topics,
                    feed: feed.map { SharedPostsFeed(store: $0, upstream: url.absoluteString, topics: topics) }, whileLeading: whileLeading,
                    patience: patience
                )
            }
        )
    }
}

// Without an upstream, the screen shows the posts in the store, which are always current. So the actions do nothing.
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
