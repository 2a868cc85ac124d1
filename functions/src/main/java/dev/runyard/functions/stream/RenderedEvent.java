package dev.runyard.functions.stream;

/// A stored event, or a part of one, as a view tells it.
///
/// @param name of the server-sent event
/// @param json one line
record RenderedEvent(String name, String json) {}
