package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Identity;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.read.Protocol;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The same recorded run through every view: `views/recorded.jsonl` is its log, `views/NAME.sse`
/// what a stream of that view has always sent. What clients have stored must not change.
final class ViewsTest {
  private static final RunKey RUN =
      new RunKey(Identity.TENANT_DEFAULT, "019c0000-0000-7000-8000-0000000000aa");
  private static final int CHUNK_EVENTS = 7;

  private final StreamRig rig = new StreamRig();

  @AfterEach
  void stop() {
    rig.close();
  }

  @ParameterizedTest
  @EnumSource
  void rendersTheRecordedRunByteForByte(Protocol view) throws Exception {
    append(recorded());

    assertEquals(
        new String(resource(view.wire() + ".sse"), StandardCharsets.UTF_8), streamed(view, 0));
  }

  @ParameterizedTest
  @EnumSource
  void rendersTheSameToWhoeverComesBackAfterAnyEvent(Protocol view) throws Exception {
    List<StoredEvent> log = recorded();
    append(log);
    List<String> frames = frames(streamed(view, 0));

    for (StoredEvent event : log) {
      List<String> rest = frames(streamed(view, event.sequence()));
      int seen = 0;
      for (int i = 0; i < frames.size(); i++) {
        seen = id(frames.get(i)) > 0 && id(frames.get(i)) <= event.sequence() ? i + 1 : seen;
      }
      assertEquals(frames.subList(seen, frames.size()), rest);
    }
  }

  @ParameterizedTest
  @EnumSource
  void hasTheSameInPagesOfAnySize(Protocol view) throws Exception {
    append(recorded());
    List<JsonNode> streamed = new ArrayList<>();
    for (String frame : frames(streamed(view, 0))) {
      streamed.add(JsonFormat.JSON.readTree(frame.substring(frame.indexOf("data: ") + 6)));
    }

    for (int limit : new int[] {1, 3, FeedRequest.LIMIT_MAX}) {
      assertEquals(streamed, paged(view, limit));
    }
  }

  @ParameterizedTest
  @EnumSource
  void isNamedByThePage(Protocol view) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "http.md"));
    int parameter = page.indexOf("`view` (");

    String names = page.substring(parameter, page.indexOf("It answers", parameter));
    assertTrue(names.contains("`" + view.wire() + "`"), names);
  }

  @Test
  void givesTheLastPartOfAnEventItsId() throws Exception {
    RunEvent created = recorded().getFirst().event();
    String text = "x".repeat(Limits.TEXT_BYTES_MAX);
    append(List.of(stored(1, created), stored(2, new RunEvent.ModelDelta(text + "yz"))));
    try (StreamRig.Stream stream = rig.stream(events(Protocol.AGENT_API, ""))) {
      StreamRig.Frame first = stream.next(1).getFirst();
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        lines.add(stream.line());
      }

      assertEquals("1", first.id());
      assertEquals(List.of("event: TextOutput", "id: 2"), List.of(lines.get(0), lines.get(3)));
    }
  }

  /// All events of the pages, and finally the completion if the view has one.
  private List<JsonNode> paged(Protocol view, int limit) throws Exception {
    List<JsonNode> events = new ArrayList<>();
    JsonNode page = page(view, "&limit=" + limit);
    page.path("events").forEach(events::add);
    while (!page.path("closed").booleanValue()) {
      page = page(view, "&limit=" + limit + "&after=" + page.path("next_after").longValue());
      page.path("events").forEach(events::add);
    }
    if (page.has("completion")) {
      events.add(page.path("completion"));
    }
    return events;
  }

  private JsonNode page(Protocol view, String query) throws Exception {
    return JsonFormat.JSON.readTree(rig.get(events(view, query)).body());
  }

  private String streamed(Protocol view, long after) throws Exception {
    return rig.send(
            rig.request(events(view, "&after=" + after)).header("Accept", "text/event-stream"))
        .body();
  }

  private static String events(Protocol view, String query) {
    return StreamRig.events(RUN, "?view=" + view.wire() + query);
  }

  private static List<String> frames(String stream) {
    return Stream.of(stream.split("\n\n", -1)).filter(frame -> frame.contains("data: ")).toList();
  }

  /// The id of a frame; 0 if it has none.
  private static long id(String frame) {
    return frame.startsWith("id: ")
        ? Long.parseLong(frame.substring("id: ".length(), frame.indexOf('\n')))
        : 0;
  }

  private static StoredEvent stored(long sequence, RunEvent event) {
    return new StoredEvent(RUN, "s-1", null, sequence, Instant.EPOCH, event);
  }

  private static List<StoredEvent> recorded() throws IOException {
    return EventCodec.RUNS.decode(RUN, resource("recorded.jsonl"));
  }

  private void append(List<StoredEvent> log) {
    for (int i = 0; i < log.size(); i += CHUNK_EVENTS) {
      List<StoredEvent> events = log.subList(i, Math.min(i + CHUNK_EVENTS, log.size()));
      boolean closed = events.getLast().event() instanceof RunEvent.TaskCancelled;
      rig.twins.log.append(
          new Chunk(
              RUN,
              "c-" + i,
              "test",
              ChunkBody.of(EventCodec.RUNS, events),
              Optional.empty(),
              closed));
    }
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = ViewsTest.class.getResourceAsStream("/views/" + name)) {
      if (in == null) {
        throw new AssertionError("record what the view says of the run in views/" + name);
      }
      return in.readAllBytes();
    }
  }
}
