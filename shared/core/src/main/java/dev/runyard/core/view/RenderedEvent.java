package dev.runyard.core.view;

/// An event in a protocol's form.
///
/// @param name its type in the protocol, under which a stream sends it
/// @param json the whole event, on one line
public record RenderedEvent(String name, String json) {}
