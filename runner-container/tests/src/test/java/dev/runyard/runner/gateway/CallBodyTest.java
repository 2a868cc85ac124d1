package dev.runyard.runner.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CallBodyTest {
  @Test
  void namesAModelAndThoseThatMayTakeItsPlace() {
    assertEquals(
        Optional.of(List.of("a", "b", "c")), models("{\"model\":\"a\",\"models\":[\"b\",\"c\"]}"));
  }

  /// Many short names take far more memory than the body that has them.
  @Test
  void namesNoMoreModelsThanAreKept() {
    assertEquals(
        Optional.of(Collections.nCopies(CallBody.MODELS_MAX, "m")),
        models(body(CallBody.MODELS_MAX)));
    assertEquals(Optional.empty(), models(body(CallBody.MODELS_MAX + 1)));
  }

  private static String body(int models) {
    String names = String.join(",", Collections.nCopies(models, "\"m\""));
    return "{\"models\":[" + names + "]}";
  }

  private static Optional<List<String>> models(String body) {
    return CallBody.read(body.getBytes(StandardCharsets.UTF_8)).map(CallBody::models);
  }
}
