/**
 * The types of the protocol's documents. In a received document, an optional member may also be null. The functions `normalSnapshot` and
 * `play` of `changeset.js` remove such members.
 *
 * @typedef {object} Size
 * @property {number=} width in points
 * @property {number=} height in points
 *
 * @typedef {object} Link the screen that selecting a view opens
 * @property {string} screen
 * @property {Object<string, string>=} parameters
 *
 * @typedef {object} Action
 * @property {string} name
 * @property {Object<string, unknown>=} input values to send, or to fill a form with
 * @property {string=} title required in `actions`
 * @property {boolean=} disabled
 * @property {boolean=} destructive
 *
 * @typedef {object} ViewMembers the members that mean the same in all views; all other members are content
 * @property {string} type
 * @property {Size=} size
 * @property {Action=} action the action that selecting the view performs
 * @property {Action[]=} actions further actions
 * @property {Link=} link
 * @property {View | null=} fallback the view for clients that do not know the type; null to show nothing
 *
 * @typedef {ViewMembers & {[content: string]: unknown}} View a cell, header, footer or supplementary view
 *
 * @typedef {View & {id: string}} Cell
 *
 * @typedef {object} LiveDate an instant in the content of a view, whose text changes with time
 * @property {string} $date
 * @property {string=} style `relative` or `timer`; with any other, the date and the time are shown
 *
 * @typedef {object} Supplementary
 * @property {string} kind
 * @property {string=} cell the id of the cell that has the view
 * @property {number=} item the place of the view, if it belongs to no cell
 * @property {View} view
 *
 * @typedef {object} SectionViews
 * @property {View=} header
 * @property {View=} footer
 * @property {Supplementary[]=} supplementary
 *
 * @typedef {SectionViews & {id: string, cells: Cell[]}} Section
 *
 * @typedef {object} Snapshot
 * @property {'snapshot'} kind
 * @property {'initial' | 'unknown-version' | 'smaller'=} reason the cause of a snapshot in response to a request for changes
 * @property {string} screen
 * @property {string} version
 * @property {'table' | 'collection'} layout
 * @property {string=} title
 * @property {Section[]} sections
 *
 * @typedef {object} Changeset
 * @property {'changeset'} kind
 * @property {string} screen
 * @property {string} from the version that the changeset applies to
 * @property {string} version the version after the changeset
 * @property {string=} title the title of the screen, if it changed
 * @property {Stage[]} stages
 *
 * @typedef {[section: number, item: number]} Place
 *
 * @typedef {object} Stage changes that a list performs at once. The places of deletes and updates, and the sources of moves, are indexes in
 *   the list before the stage. The places of inserts, and the targets of moves, are indexes in the list after the stage.
 * @property {{at: Place, cell: Cell}[]=} updateCells
 * @property {{at: number, section: Section}[]=} insertSections
 * @property {[section: number, item: number, count: number][]=} deleteCells
 * @property {{at: Place, cells: Cell[]}[]=} insertCells
 * @property {[fromSection: number, fromItem: number, toSection: number, toItem: number, count: number][]=} moveCells
 * @property {number[]=} deleteSections
 * @property {[from: number, to: number][]=} moveSections
 * @property {(SectionViews & {at: number})[]=} updateSections all views of each section
 *
 * @typedef {'performed' | 'not-performed' | 'unknown'} ActionOutcome
 *
 * @typedef {object} InputError
 * @property {string=} pointer a JSON pointer into the body of an action
 * @property {string=} parameter
 * @property {string} detail
 *
 * @typedef {object} Problem
 * @property {string} type
 * @property {string} title
 * @property {number} status
 * @property {string=} detail
 * @property {InputError[]=} errors
 * @property {ActionOutcome=} outcome set if the problem is the response to an action
 *
 * @typedef {object} ValueDescription
 * @property {string} name
 * @property {string=} title
 * @property {'text' | 'integer' | 'number' | 'boolean' | 'date' | 'choice'} type
 * @property {string} shape the rule for valid values, in English
 * @property {'search' | 'password' | 'email'=} format
 * @property {string[]=} choices
 * @property {string[]=} titles the titles of the choices
 * @property {number=} minimum
 * @property {number=} maximum
 * @property {number=} limit the maximum number of characters
 *
 * @typedef {object} ParameterMembers
 * @property {string} description
 * @property {{value: string, title?: string}[]=} values the values in the current data
 * @property {string=} default
 *
 * @typedef {ValueDescription & ParameterMembers} ParameterDescription
 *
 * @typedef {ValueDescription & {title: string, required: boolean, source: 'user' | 'cell'}} FieldDescription
 *
 * @typedef {object} ActionDescription
 * @property {string} name
 * @property {string=} title
 * @property {string} description
 * @property {FieldDescription[]} input
 *
 * @typedef {object} ScreenDescription
 * @property {string} name
 * @property {string} title
 * @property {{oldest: number, newest: number}} revisions
 * @property {ParameterDescription[]} parameters
 * @property {ActionDescription[]} actions
 * @property {{source?: string, restore?: string}=} example the path of an example's source, and the action that restores its data
 *
 * @typedef {object} Catalog
 * @property {ScreenDescription[]} screens
 * @property {string[]} locales
 */

export {};
