package dev.runyard.core.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EventTypesTest {
  /// What logs contain and clients read: a type may be added, none may be changed. A `state` change
  /// is written at once and reaches the stream functions with the new state; `output` is counted by
  /// an attempt that continues another; a sign of `life` is written only by the attempt.
  private static final String STORED =
      """
      action.required          state life
      action.resolved          state
      artifact.changed         output life
      channel.disconnected     state
      channel.message
      cost.recorded            output life
      model.completed          output life
      model.delta              output life
      model.failed             life
      output.spilled           output life
      output.truncated         output life
      permission.requested     state life
      permission.resolved      state
      process.completed        state life
      process.failed           state life
      process.input            life
      process.started          state life
      process.terminated       state life
      quota.blocked            life
      quota.low                life
      rate_limit.hit           life
      reasoning.delta          output life
      run.status               life
      runtime.error            output life
      runtime.warning          output life
      session.updated          output life
      task.attempt.completed   state life
      task.attempt.failed      state life
      task.attempt.started     state life
      task.blocked
      task.cancel_requested    state
      task.cancelled           state
      task.completed           state
      task.created             state
      task.failed              state
      task.lost                state
      task.paused              state life
      task.progress            output life
      task.queued              state
      task.resumed             state
      task.retrying            state
      task.timed_out           state
      task.waiting             state life
      tool.failed              output life
      tool.progress            output life
      tool.result              output life
      tool.started             output life
      turn.completed           state
      turn.failed              state
      turn.started             state life
      turn.submitted           state
      """;

  @Test
  void typesStayWhatTheyWere() {
    List<String> now =
        STORED.lines().map(line -> line.split(" ", 2)[0]).map(EventTypesTest::row).toList();

    assertEquals(STORED.strip(), String.join("\n", now));
  }

  @Test
  void whatALaterVersionWritesIsOutput() {
    assertEquals(
        "output life",
        families(new RunEvent.Other("later.added", JsonNodeFactory.instance.objectNode())));
  }

  private static String row(String name) {
    String families =
        SampleEvents.all().stream()
            .filter(event -> EventTypes.nameOf(event).equals(name))
            .map(EventTypesTest::families)
            .distinct()
            .collect(Collectors.joining(" or "));
    return "%-24s %s".formatted(name, families).strip();
  }

  private static String families(RunEvent event) {
    String state = event instanceof RunEvent.StateChange ? "state " : "";
    String output = event instanceof RunEvent.Output ? "output " : "";
    return (state + output + (event instanceof RunEvent.SignOfLife ? "life" : "")).strip();
  }
}
