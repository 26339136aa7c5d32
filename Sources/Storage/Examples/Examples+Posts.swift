extension Examples {
    /// 120 posts of twelve authors, numbered from 1.
    public static let posts: [Post] = {
        // A post is its title's line and the lines of its body; an empty line parts it from the next.
        var posts: [Post] = []
        for lines in (firstPosts + "\n\n" + lastPosts).split(separator: "\n", omittingEmptySubsequences: false)
            .split(separator: "")
        {
            let id = posts.count + 1
            posts.append(
                Post(
                    id: id,
                    userID: (id - 1) / 10 + 1,
                    title: String(lines.first!),
                    body: lines.dropFirst().joined(separator: "\n")
                )
            )
        }
        return posts
    }()
}
