package dev.runyard.core.view.agentapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.StandardVectors;
import dev.runyard.core.limits.Bounds;
import dev.runyard.needs.NeedsStandards;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The standard's own cases of events that are too long. [AgentEventTest] has ours.
@NeedsStandards
final class AgentEventVectorsTest {
  private static final Pattern REPEATED = Pattern.compile("(.)\\*(\\d+).*");
  private static final Pattern STRING = Pattern.compile("string of (\\d+) 'a' .*");
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @Test
  void hasTheBoundsOfTheStandard() {
    JsonNode constants = StandardVectors.read().path("constants");

    assertEquals(constants.path("channel").intValue(), Bounds.CHANNEL_BYTES_MAX);
    assertEquals(constants.path("message").intValue(), Bounds.MESSAGE_BYTES_MAX);
    assertEquals(constants.path("data").intValue(), Bounds.DATA_BYTES_MAX);
    assertEquals(constants.path("suffix").textValue(), Bounds.TRUNCATED);
    assertEquals(constants.path("suffix_bytes").intValue(), Bounds.bytes(Bounds.TRUNCATED));
    assertEquals(constants.path("session_id").intValue(), Facets.SESSION_ID_BYTES_MAX);
  }

  static Stream<JsonNode> channels() {
    return cases("channel");
  }

  @ParameterizedTest
  @MethodSource("channels")
  void leavesOutAChannelThatIsTooLong(JsonNode vector) {
    Matcher in = REPEATED.matcher(vector.path("in").textValue());
    assertEquals(true, in.matches());
    String channel = in.group(1).repeat(Integer.parseInt(in.group(2)));

    AgentEvent bounded = AgentEventTest.status(channel, "m", null).bounded().getFirst();

    assertEquals(vector.path("out").isNull() ? null : channel, bounded.channel());
  }

  static Stream<JsonNode> data() {
    return cases("data");
  }

  @ParameterizedTest
  @MethodSource("data")
  void replacesDataThatIsTooLong(JsonNode vector) {
    Matcher in = STRING.matcher(vector.path("in").textValue());
    assertEquals(true, in.matches());
    JsonNode value = JSON.textNode("a".repeat(Integer.parseInt(in.group(1))));

    AgentEvent bounded = AgentEventTest.status(null, "m", value).bounded().getFirst();

    boolean same = vector.path("out").textValue().equals("same");
    assertEquals(same ? value : StandardVectors.read().at("/constants/oversize"), bounded.data());
  }

  private static Stream<JsonNode> cases(String name) {
    return StreamSupport.stream(StandardVectors.read().path(name).spliterator(), false);
  }
}
