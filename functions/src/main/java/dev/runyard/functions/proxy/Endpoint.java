package dev.runyard.functions.proxy;

import dev.runyard.functions.http.Reply;

/// Answers a route of this function.
@FunctionalInterface
public interface Endpoint {
  Reply answer(ApiRequest request);

  /// The same for a route that takes no query.
  static Endpoint plain(Endpoint endpoint) {
    return request ->
        request.query().problem().map(Reply::of).orElseGet(() -> endpoint.answer(request));
  }
}
