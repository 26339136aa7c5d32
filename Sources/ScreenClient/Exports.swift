// An app needs one import. Of `ScreenModel`, only some types are exported, because others have the names of types in SwiftUI.
@_exported public import ScreenDiff
@_exported public import ScreenWire

@_exported public import class ScreenModel.FeedbackLoop
@_exported public import enum ScreenModel.JSONValue
@_exported public import struct ScreenModel.LoopProperty
@_exported public import struct ScreenModel.OfferedAction
@_exported public import struct ScreenModel.OrderedFields
@_exported public import struct ScreenModel.ScreenAction
@_exported public import struct ScreenModel.ScreenLink
@_exported public import struct ScreenModel.Size
