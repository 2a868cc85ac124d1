package dev.runyard.functions.stream;

import com.sun.net.httpserver.HttpExchange;
import dev.runyard.functions.http.Caller;
import dev.runyard.functions.http.RoutedRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request whose response may take long, and its exchange.
///
/// @param requestId its id in the log
/// @param names values of the path's parameters
record StreamRequest(
    HttpExchange exchange, String requestId, Caller caller, Map<String, String> names)
    implements RoutedRequest {
  @Override
  public @Nullable String header(String name) {
    return exchange.getRequestHeaders().getFirst(name);
  }
}
