package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Hooks and deliveries of tests, written with `'` in place of quotes.
final class Definitions {
  static final String RUN = "{'agent':'echo','prompt':'hi'}";

  private Definitions() {}

  static ObjectNode json(String text) {
    try {
      return (ObjectNode) JsonFormat.JSON.readTree(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A hook of a sender, with these members more.
  static ObjectNode hook(String sender, String more) {
    return json(
        "{'name':'n','sender':'%s','secret':'S'%s,'run':%s}"
            .formatted(sender, more.isEmpty() ? "" : "," + more, RUN));
  }

  static ObjectNode run(String run, String allow) {
    return json(
        "{'name':'n','sender':'github','secret':'S','run':%s%s}"
            .formatted(run, allow.isEmpty() ? "" : ",'allow':" + allow));
  }

  static HookDefinition read(ObjectNode hook) {
    return assertInstanceOf(HookReader.Result.Read.class, HookReader.read(hook)).definition();
  }

  static Problem refused(ObjectNode hook) {
    return assertInstanceOf(HookReader.Result.Rejected.class, HookReader.read(hook)).problem();
  }

  static HookRequest request(Map<String, String> headers, String body) {
    return new HookRequest(headers, body.getBytes(StandardCharsets.UTF_8));
  }

  static HookPayload payload(Map<String, String> headers, String body) {
    return assertInstanceOf(HookPayload.Result.Read.class, HookPayload.read(request(headers, body)))
        .payload();
  }
}
