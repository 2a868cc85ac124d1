package dev.runyard.core.change;

import com.fasterxml.jackson.annotation.JsonProperty;

/// A stored object of a change.
///
/// @param object its name below the attempt's prefix
/// @param name what people call it: an artifact's path
/// @param sha256 in hexadecimal
public record KeptObject(
    String object,
    String name,
    long bytes,
    String sha256,
    @JsonProperty("content_type") String contentType) {}
