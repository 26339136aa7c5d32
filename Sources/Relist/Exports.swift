// What a team's screens are written with, so that they import nothing else.
@_exported public import ScreenHTTP
@_exported public import ScreenModel
@_exported public import ScreenService
@_exported public import ScreenWire
@_exported public import ServiceStoreSQLite
