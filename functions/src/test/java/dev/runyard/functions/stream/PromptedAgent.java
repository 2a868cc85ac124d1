package dev.runyard.functions.stream;

import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.transcript.MessageEvents;
import dev.runyard.functions.Twins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A runner and its agent in one. It does what a prompt's first word says: `fail`, `ask` for a
/// message, `hold` until it is cancelled, or else echo. One step of one thread at a time.
final class PromptedAgent {
  private final Twins twins;

  PromptedAgent(Twins twins) {
    this.twins = twins;
  }

  /// Advances every queued run that can be advanced.
  void step() {
    twins.clock.advance(Duration.ofMillis(1));
    for (RunKey run : twins.queue.runs()) {
      switch (twins.runs().load(run)) {
        case RunState.Created created -> begin(run, created.facts().request().prompt());
        case RunState.InProgress going -> answered(run, going);
        case RunState.CancellingIdle _ -> twins.advance().advance(run);
        case RunState.Cancelling _ -> end(run, new RunEvent.AttemptCompleted(1, "a-1"));
        case RunState _ -> {}
      }
      twins.project().project(run);
    }
  }

  private void begin(RunKey run, String prompt) {
    twins.runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", twins.clock.instant()));
    twins.report(run, new RunEvent.ProcessStarted("p-1", "echo"));
    switch (prompt.split("\\s", 2)[0]) {
      case "fail" ->
          end(
              run,
              new RunEvent.AttemptFailed(
                  1, "a-1", Failure.backend("invalid_input", "Wrong question buddy!")));
      case "ask" -> ask(run);
      case "hold" -> {}
      case String _ -> say(run, prompt);
    }
  }

  private void ask(RunKey run) {
    Question question =
        new Question(
            ActionId.of(run, 1),
            ActionType.MESSAGE,
            "",
            null,
            List.of(),
            0,
            JsonFormat.JSON.valueToTree(new Message("agent/echo", List.of(), null, null)));
    twins.report(
        run,
        question.asked(twins.clock.instant()),
        new TaskWaiting(ActionId.of(run, 1), "waiting_input"));
  }

  private void answered(RunKey run, RunState.InProgress going) {
    for (AgentInput input : going.facts().interactions().undelivered()) {
      if (input instanceof AgentInput.Decided(Action action)) {
        twins.report(run, new RunEvent.ProcessInput("p-1", null, action.actionId(), null));
        say(run, "empty");
      }
    }
  }

  private void say(RunKey run, String text) {
    twins.report(
        run, MessageEvents.whole(Message.text("agent/echo", text)).toArray(RunEvent[]::new));
    end(run, new RunEvent.AttemptCompleted(1, "a-1"));
  }

  private void end(RunKey run, RunEvent how) {
    List<RunEvent> events = new ArrayList<>();
    events.add(new RunEvent.ProcessCompleted("p-1", 0, null, 5));
    events.add(how);
    twins.report(run, events.toArray(RunEvent[]::new));
    twins.advance().advance(run);
  }
}
