package dev.runyard.core.cancel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.limits.Limits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CancelRequestReaderTest {
  @Test
  void theReasonIsOptional() {
    for (String body : List.of("", "{}", "{\"reason\":null}")) {
      assertEquals(CancelRequestReader.REASON_DEFAULT, reason(body));
    }
    assertEquals("enough", reason("{\"reason\":\"enough\"}"));
    reason("{\"reason\":\"" + "x".repeat(Limits.REASON_BYTES_MAX) + "\"}");
  }

  @Test
  void refusesEverythingElse() {
    String tooLong = "x".repeat(Limits.REASON_BYTES_MAX + 1);
    for (String body :
        List.of(
            "x",
            "[]",
            "{\"reason\":1}",
            "{\"reason\":\" \"}",
            "{\"reason\":\"\\ud800\"}",
            "{\"reason\":\"" + tooLong + "\"}",
            "{\"force\":true}")) {
      assertInstanceOf(
          CancelRequestReader.Result.Rejected.class,
          CancelRequestReader.read(body.getBytes(StandardCharsets.UTF_8)),
          body);
    }
  }

  private static String reason(String body) {
    return assertInstanceOf(
            CancelRequestReader.Result.Accepted.class,
            CancelRequestReader.read(body.getBytes(StandardCharsets.UTF_8)))
        .reason();
  }
}
