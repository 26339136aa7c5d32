@main enum Relist { static func main() {} }
