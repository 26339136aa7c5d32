extension Examples {
    static let firstPosts = """
        A
        B
        """
}
