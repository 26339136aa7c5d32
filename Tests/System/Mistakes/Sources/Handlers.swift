import ScreenService

// The closure has too few parameters.

// error: The closure must take the screen, the context, and one value per field: `{ (screen: MyScreen, context, first, second) in … }`.
let add = Action("add", "Adds a dish.", Kitchen.dish, Kitchen.count) { (kitchen: Kitchen, _, dish) in
    print(kitchen, dish)
}

// error: The closure must take the context, and one value per field: `{ context, first, second in … }`.
let serve = Action("serve", "Serves a dish.", Kitchen.dish) { context in
    print(context)
}

// The closure has too many parameters.

// error: The closure must take the context, and one value per field: `{ context, first, second in … }`.
let close = Action("close", "Closes the kitchen.") { context, dish in
    print(context, dish)
}
