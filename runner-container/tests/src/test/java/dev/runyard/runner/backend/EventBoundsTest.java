package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EventBoundsTest {
  private static final String LONE = "\ud800";
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");

  @ParameterizedTest
  @ValueSource(strings = {"a", "é", "€", "💖"})
  void splitsTextBetweenCharacters(String piece) {
    String text = "x" + piece.repeat(50_000);

    List<RunEvent> events = EventBounds.apply(new RunEvent.ModelDelta(text));

    List<String> texts =
        events.stream().map(e -> assertInstanceOf(RunEvent.ModelDelta.class, e).text()).toList();
    assertEquals(text, String.join("", texts));
    texts.forEach(
        part -> {
          assertTrue(Bounds.bytes(part) <= Limits.TEXT_BYTES_MAX);
          assertTrue(Bounds.isWellFormed(part));
        });
  }

  @Test
  void leavesTextOfTheLimitWhole() {
    String text = "x".repeat(Limits.TEXT_BYTES_MAX);

    assertEquals(
        List.of(new RunEvent.ReasoningDelta(text)),
        EventBounds.apply(new RunEvent.ReasoningDelta(text)));
    assertEquals(2, EventBounds.apply(new RunEvent.ReasoningDelta(text + "y")).size());
  }

  @Test
  void cutsMessagesAndPreviewsWithASuffix() {
    String whole = "m".repeat(Bounds.MESSAGE_BYTES_MAX);
    String cut = Bounds.truncate(whole + "!", Bounds.MESSAGE_BYTES_MAX);
    assertTrue(cut.endsWith(Bounds.TRUNCATED));
    String ends = Bounds.ends(whole + "!", Bounds.MESSAGE_BYTES_MAX);

    assertEquals(new RunEvent.RuntimeWarning("c", whole), warning(whole));
    assertEquals(new RunEvent.RuntimeWarning("c", cut), warning(whole + "!"));
    assertEquals(
        List.of(new RunEvent.ToolStarted("t", "n", "k", cut)),
        EventBounds.apply(new RunEvent.ToolStarted("t", "n", "k", whole + "!")));
    assertEquals(
        List.of(new RunEvent.ToolProgress("t", "n", "k", cut, null)),
        EventBounds.apply(new RunEvent.ToolProgress("t", "n", "k", whole + "!", null)));
    assertEquals(
        List.of(new RunEvent.ToolResult("t", "n", "k", 0, ends, 5000)),
        EventBounds.apply(new RunEvent.ToolResult("t", "n", "k", 0, whole + "!", 5000)));
    assertEquals(
        List.of(new RunEvent.ToolFailed("t", "n", "k", 1, ends, 5000)),
        EventBounds.apply(new RunEvent.ToolFailed("t", "n", "k", 1, whole + "!", 5000)));
  }

  @Test
  void keepsTheAbsenceOfAPreview() {
    RunEvent tool = EventBounds.apply(new RunEvent.ToolStarted("t", "n", "k", null)).getFirst();

    assertNull(assertInstanceOf(RunEvent.ToolStarted.class, tool).input());
  }

  @Test
  void cutsNamesAtTheBoundOfAChannel() {
    String name = "n".repeat(10_000);
    String cut = Bounds.truncate(name, Bounds.CHANNEL_BYTES_MAX);

    assertEquals(
        List.of(new RunEvent.ToolStarted(cut, cut, cut, null)),
        EventBounds.apply(new RunEvent.ToolStarted(name, name, name, null)));
    assertEquals(
        List.of(new RunEvent.CostRecorded(Usage.NONE, cut)),
        EventBounds.apply(new RunEvent.CostRecorded(Usage.NONE, name)));
  }

  static Stream<RunEvent> broken() {
    return Stream.of(
        new RunEvent.ModelDelta("a" + LONE),
        new RunEvent.ReasoningDelta(LONE),
        new RunEvent.RuntimeWarning(LONE, LONE),
        new RunEvent.RuntimeError(LONE, LONE),
        new RunEvent.ToolStarted(LONE, LONE, LONE, LONE),
        new RunEvent.ToolProgress(LONE, LONE, LONE, LONE, null),
        new RunEvent.ToolResult(LONE, LONE, LONE, 0, LONE, 1),
        new RunEvent.ToolFailed(LONE, LONE, LONE, 1, LONE, 1),
        new RunEvent.SessionUpdated(LONE),
        new RunEvent.CostRecorded(Usage.NONE, LONE),
        new RunEvent.OutputTruncated(LONE, 2, 1));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void givesTextWithoutAUtf8FormOne(RunEvent event) {
    List<StoredEvent> stored = new ArrayList<>();
    for (RunEvent bounded : EventBounds.apply(event)) {
      stored.add(new StoredEvent(RUN, "s", null, stored.size() + 1L, Instant.EPOCH, bounded));
    }

    assertEquals(stored, EventCodec.RUNS.decode(RUN, EventCodec.RUNS.encode(stored)));
    assertTrue(Bounds.isWellFormed(stored.toString()));
    assertTrue(stored.toString().contains("\ufffd"));
  }

  @Test
  void leavesEveryOtherEventAsItIs() {
    List<RunEvent> others =
        List.of(
            new RunEvent.ModelCompleted(),
            new RunEvent.SessionUpdated("s".repeat(1000)),
            new RunEvent.CostRecorded(new Usage(1, 2, 3, 4, 0.5), "model-1"),
            new RunEvent.OutputTruncated("line", 2, 1));

    assertEquals(
        others,
        others.stream().flatMap(e -> EventBounds.apply(e).stream()).collect(Collectors.toList()));
  }

  private static RunEvent warning(String message) {
    return EventBounds.apply(new RunEvent.RuntimeWarning("c", message)).getFirst();
  }
}
