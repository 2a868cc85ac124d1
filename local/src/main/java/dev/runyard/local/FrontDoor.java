package dev.runyard.local;

import com.sun.net.httpserver.HttpHandler;
import dev.runyard.local.http.AccessToken;
import dev.runyard.local.http.FrontServer;
import dev.runyard.local.http.RouteTable;
import dev.runyard.local.http.TokenFolder;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;

/// The last step of a start: the API, which takes requests of whoever can read the stack's access
/// token.
public final class FrontDoor {
  private FrontDoor() {}

  /// Opens the API and leaves its token, which is taken away before the port is free again.
  public static FrontServer open(
      LocalOptions options, RouteTable routes, boolean bearer, Shutdown shutdown) {
    return open(options, routes, Map.of(), bearer, shutdown);
  }

  /// The same with paths that need no token, because each is proof itself.
  ///
  /// @param open handlers by what their paths begin with
  /// @param bearer whether functions check keys and tokens of callers
  public static FrontServer open(
      LocalOptions options,
      RouteTable routes,
      Map<String, HttpHandler> open,
      boolean bearer,
      Shutdown shutdown) {
    Optional<AccessToken> token = options.tokens().map(_ -> AccessToken.drawn(new SecureRandom()));
    FrontServer front = shutdown.add(new FrontServer(options.port(), routes, open, token, bearer));
    token.ifPresent(
        drawn ->
            shutdown.add(
                options.tokens().map(TokenFolder::new).orElseThrow().leave(front.port(), drawn)));
    return front;
  }
}
