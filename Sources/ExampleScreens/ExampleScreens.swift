/// The screens that come with the server. Each is one folder here, which says what it takes to make it.
public enum ExampleScreens {}
