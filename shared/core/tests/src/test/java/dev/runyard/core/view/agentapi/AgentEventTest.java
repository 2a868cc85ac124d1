package dev.runyard.core.view.agentapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Bounds;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AgentEventTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @Test
  void hasTheBoundsOfTheFormat() {
    assertEquals(128, Bounds.CHANNEL_BYTES_MAX);
    assertEquals(4_096, Bounds.MESSAGE_BYTES_MAX);
    assertEquals(65_536, Bounds.DATA_BYTES_MAX);
    assertEquals(1_024, Facets.SESSION_ID_BYTES_MAX);
    assertEquals("\u2026(truncated)", Bounds.TRUNCATED);
  }

  @Test
  void leavesOutAChannelThatIsTooLong() {
    for (String fits : List.of("c", "c".repeat(128), "ß".repeat(64))) {
      assertEquals(fits, status(fits, "m", null).bounded().getFirst().channel());
    }
    for (String tooLong : List.of("c".repeat(129), "ß".repeat(64) + "c", "💖".repeat(33))) {
      assertNull(status(tooLong, "m", null).bounded().getFirst().channel());
    }
  }

  /// A string takes two more bytes as JSON.
  @Test
  void replacesDataThatIsTooLong() throws Exception {
    JsonNode fits = JSON.textNode("d".repeat(65_534));
    JsonNode tooLong = JSON.textNode("d".repeat(65_533) + "ß");

    assertEquals(fits, status(null, "m", fits).bounded().getFirst().data());
    assertEquals(
        JsonFormat.JSON.readTree("{\"dropped\": {\"reason\": \"oversize\"}}"),
        status(null, "m", tooLong).bounded().getFirst().data());
  }

  @Test
  void cutsALongMessage() {
    assertEquals(
        "a".repeat(4082) + Bounds.TRUNCATED,
        status(null, "a".repeat(4097), null).bounded().getFirst().message());
  }

  @Test
  void isEitherTextOrAMessage() {
    assertThrows(
        IllegalArgumentException.class, () -> event(AgentEvent.Kind.TEXT_OUTPUT, null, "message"));
    assertThrows(
        IllegalArgumentException.class,
        () -> event(AgentEvent.Kind.TEXT_OUTPUT, "text", "message"));
    assertThrows(IllegalArgumentException.class, () -> event(AgentEvent.Kind.STATUS, "text", null));
    assertThrows(IllegalArgumentException.class, () -> event(AgentEvent.Kind.ERROR, null, null));
  }

  private static AgentEvent event(
      AgentEvent.Kind kind, @Nullable String text, @Nullable String message) {
    return new AgentEvent(AgentCatalog.CODEX, kind, null, text, message, null);
  }

  static AgentEvent status(@Nullable String channel, String message, @Nullable JsonNode data) {
    return new AgentEvent(AgentCatalog.CODEX, AgentEvent.Kind.STATUS, channel, null, message, data);
  }
}
