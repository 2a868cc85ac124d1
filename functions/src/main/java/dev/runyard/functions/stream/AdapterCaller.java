package dev.runyard.functions.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.json.JsonFormat;
import java.util.List;
import java.util.Optional;

/// What a request behind the web adapter shows of its caller. The adapter passes on the gateway's
/// context of a request as a header, and writes it over one that a client has sent.
final class AdapterCaller {
  private static final String CONTEXT = "x-amzn-request-context";

  private AdapterCaller() {}

  static Authentication.Shown shown(Headers headers) {
    return new Authentication.Shown(
        only(headers, "Authorization"), only(headers, CONTEXT).flatMap(AdapterCaller::principal));
  }

  /// A header that is there twice is as good as none: nobody can say which one counts.
  private static Optional<String> only(Headers headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }

  private static Optional<String> principal(String context) {
    try {
      JsonNode arn = JsonFormat.JSON.readTree(context).path("identity").path("userArn");
      return Optional.ofNullable(arn.textValue());
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }
}
