extension Examples {
    static let lastPosts = """
        C
        D
        """
}
