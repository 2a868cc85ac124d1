package dev.runyard.core.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonBody;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class IdempotencyHeaderTest {
  @Test
  void takesQuotedAndBareKeysForTheSame() {
    for (String header : List.of("k-1", "\"k-1\"", " k-1 ")) {
      assertEquals("k-1", key(header));
    }
    assertEquals("a\"b\\c", key("\"a\\\"b\\\\c\""));
  }

  @Test
  void boundsTheKey() {
    String most = "k".repeat(IdempotencyStore.KEY_BYTES_MAX);

    assertEquals(most, key(most));
    assertEquals(most, key("\"" + most + "\""));
    refused(most + "k");
    refused("\"" + most + "k\"");
  }

  @Test
  void refusesEverythingElse() {
    for (String header :
        List.of("", " ", "\"\"", "\" \"", "\"open", "\"a\"b", "é", "a\tb", "\u0000", "\"\\x\"")) {
      refused(header);
    }
  }

  @Test
  void fingerprintsMeaningNotSpelling() {
    String first = fingerprint("default", "{\"a\":1,\"b\":{\"c\":[1,2],\"d\":null}}");

    assertEquals(
        first, fingerprint("default", " {\"b\" : {\"d\":null,\"c\":[1,2]}, \"\\u0061\":1}"));
    assertNotEquals(first, fingerprint("default", "{\"a\":1,\"b\":{\"c\":[2,1],\"d\":null}}"));
    assertNotEquals(first, fingerprint("other", "{\"a\":1,\"b\":{\"c\":[1,2],\"d\":null}}"));
    assertEquals(64, first.length());
  }

  private static String key(String header) {
    return assertInstanceOf(IdempotencyHeader.Result.Read.class, IdempotencyHeader.read(header))
        .key();
  }

  private static void refused(String header) {
    assertInstanceOf(IdempotencyHeader.Result.Rejected.class, IdempotencyHeader.read(header));
  }

  private static String fingerprint(String tenant, String json) {
    ObjectNode body =
        assertInstanceOf(
                JsonBody.Result.Read.class, JsonBody.read(json.getBytes(StandardCharsets.UTF_8)))
            .object();
    return IdempotencyHeader.fingerprint(tenant, "POST /v1/runs", body);
  }
}
