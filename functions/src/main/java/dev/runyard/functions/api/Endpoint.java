package dev.runyard.functions.api;

import dev.runyard.functions.http.Reply;

/// Answers a route of this function.
@FunctionalInterface
interface Endpoint {
  Reply answer(ApiRequest request);
}
