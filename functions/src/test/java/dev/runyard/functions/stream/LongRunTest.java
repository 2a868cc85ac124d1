package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agentcommunication.ReadRun;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.functions.api.Client;
import dev.runyard.functions.stream.StreamRig.Stream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// However long a run is, one request reads a small part of its log.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LongRunTest {
  /// Events one chunk has here.
  private static final int CHUNK = 2000;

  private static final int CHUNKS = 52;

  /// The terminal event and the four before it, after the agent's output.
  private static final int LAST = 5 + CHUNKS * CHUNK + 4;

  /// What a request may read: the chunk it begins in, the first one, and what is new since the
  /// snapshot.
  private static final long READ_MAX = 3L * CHUNK;

  private final StreamRig rig = new StreamRig();
  private final RunKey run = rig.twins.running();

  @BeforeAll
  void talkLong() {
    RunEvent[] told = new RunEvent[CHUNK];
    Arrays.fill(told, new RunEvent.ReasoningDelta("hm"));
    for (int i = 0; i < CHUNKS; i++) {
      rig.twins.report(run, told);
      rig.twins.project().project(run);
    }
    rig.twins.complete(run);
    rig.twins.project().project(run);
  }

  @AfterAll
  void stop() {
    rig.close();
  }

  @Test
  void aRunIsReadFromItsSnapshot() throws Exception {
    JsonNode json = few(() -> Client.json(new Client(rig.twins).get("/v1/runs/" + run.runId())));

    assertEquals(LAST, json.path("last_sequence").intValue());
  }

  @Test
  void aPageIsReadFromWhereItBegins() throws Exception {
    for (String view : List.of("runtime", "agent_api", "hub")) {
      String query = "?after=%d&view=%s".formatted(LAST - 20, view);
      JsonNode page =
          few(() -> JsonFormat.JSON.readTree(rig.get(StreamRig.events(run, query)).body()));

      assertEquals(LAST, page.path("next_after").intValue());
      assertTrue(page.path("closed").booleanValue(), view);
      if (view.equals("agent_api")) {
        assertEquals(LAST, page.at("/completion/sequence").intValue());
      }
    }
  }

  @Test
  void aStreamIsReadFromWhereItIsResumed() throws Exception {
    List<String> ids =
        few(
            () -> {
              try (Stream stream = rig.stream(StreamRig.events(run, "?after=" + (LAST - 2)))) {
                return Stream.ids(stream.toEnd());
              }
            });

    assertEquals(List.of(String.valueOf(LAST - 1), String.valueOf(LAST)), ids);
  }

  @Test
  void theProtocolThatNeedsEveryEventRefusesWhatIsTooLong() throws Exception {
    assertTrue(LAST > ReadRun.EVENTS_MAX);
    JsonNode whole = few(() -> Client.json(new Client(rig.twins).get("/runs/" + run.runId())));
    JsonNode view =
        few(
            () ->
                JsonFormat.JSON.readTree(
                    rig.get(StreamRig.events(run, "?view=acp&after=" + (LAST - 1))).body()));

    assertEquals("response_too_large", whole.at("/data/code").asText());
    assertEquals("response_too_large", view.path("code").asText());
  }

  private <T> T few(Callable<T> answer) throws Exception {
    long before = rig.twins.log.read();
    T given = answer.call();
    long read = rig.twins.log.read() - before;
    assertTrue(read <= READ_MAX, () -> "events read: " + read);
    return given;
  }
}
