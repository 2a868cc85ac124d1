package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.functions.http.CallerCheck;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/// Answers a route of this function.
@FunctionalInterface
interface StreamEndpoint {
  StreamAnswer answer(StreamRequest request) throws IOException, InterruptedException;

  /// Whether a caller may call who shows something that only this route takes; empty for who does
  /// not.
  ///
  /// @param names values of the path's parameters
  default Optional<CallerCheck.Result> check(HttpExchange exchange, Map<String, String> names) {
    return Optional.empty();
  }
}
