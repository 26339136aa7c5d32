import ExampleRecords
import ScreenModel
import ScreenService

// The types of their views on the wire are `post`, `count`, `more`, `loading`, `failure`, `end`.
extension Posts {
    /// One post.
    struct PostCell: CellContent, Equatable {
        let post: Post

        var id: String { "post-\(post.id)" }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.post.title)
            field("body", \.post.body)
        }
    }

    /// The number of posts, with the offer to load them anew.
    struct CountHeader: ViewContent, Equatable {
        let title: String
        let actions: [OfferedAction]

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
        }
    }

    /// The way to a longer list.
    struct MoreFooter: Selectable {
        let title: String
        let detail: String
        /// The number of posts that the list shows at most.
        let limit: Int

        var whenSelected: Selection {
            .link(ScreenLink(Posts.name, parameters: [Posts.limit.name: String(limit)]))
        }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
            field("detail", \.detail)
        }
    }

    /// The note that more is on its way.
    struct LoadingFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }

    /// The reason why no more came; selecting it tries again.
    struct FailureFooter: Selectable {
        let title: String
        let text: String

        var whenSelected: Selection { .action(ScreenAction(retry)) }

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("title", \.title)
            field("text", \.text)
        }
    }

    /// The note that no more is to come.
    struct EndFooter: ViewContent, Equatable {
        let text: String

        static func fields(_ field: inout some FieldVisitor<Self>) {
            field("text", \.text)
        }
    }
}
