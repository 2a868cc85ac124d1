package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;

/// An HTTP request to the model.
///
/// @param path without the query
/// @param size bytes of the body
record ModelRequest(String path, JsonNode body, long size) {}
