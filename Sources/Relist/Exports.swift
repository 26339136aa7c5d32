// The modules that a team's screens, stores and middleware need. They are exported, so that a team imports only `Relist`.
@_exported public import HTTPServer
@_exported public import RelistSQLite
@_exported public import ScreenHTTP
@_exported public import ScreenModel
@_exported public import ScreenService
@_exported public import ScreenWire

@_exported public import struct Logging.Logger
