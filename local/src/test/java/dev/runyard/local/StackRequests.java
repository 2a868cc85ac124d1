package dev.runyard.local;

import dev.runyard.local.http.TokenFolder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;

/// Requests with the access token that a stack of [LocalOptions#of] left in its work folder.
public final class StackRequests {
  private StackRequests() {}

  /// A request to a stack; one that has ended has taken its token away.
  public static HttpRequest.Builder in(Path work, URI stack, String path) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(stack.resolve(path));
    new TokenFolder(work.resolve("tokens"))
        .find(stack)
        .ifPresent(token -> request.header("Authorization", "Bearer " + token));
    return request;
  }
}
