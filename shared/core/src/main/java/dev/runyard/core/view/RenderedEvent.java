package dev.runyard.core.view;

/// An event as a protocol has it.
///
/// @param name its type in the protocol, under which a stream sends it
/// @param json the whole event, on one line
public record RenderedEvent(String name, String json) {}
