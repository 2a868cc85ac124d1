package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import java.util.Collection;
import java.util.List;

/// What a dialect wants done. It says what, and the run does it, so that a dialect can be tested
/// without a process.
public sealed interface Effect {
  /// Tells what happened; may wait until there is room for it.
  record Tell(RunEvent event) implements Effect {}

  /// Asks a person; may wait like [Tell].
  record Ask(Question question) implements Effect {}

  /// Something that never waits, done before the other moves of the same list.
  sealed interface Prompt extends Effect {}

  /// The agent has an input. To be said before the line that hands it over is written.
  record Took(AgentInput input) implements Prompt {}

  /// The agent does not get an input, for a reason people may read.
  record Refuse(AgentInput input, String reason) implements Prompt {}

  /// A line for the agent, without its end.
  record Write(String line) implements Prompt {}

  /// Nothing more is said to the agent. One that does not end by itself is ended.
  ///
  /// @param leaveMillis how long it may take
  record Close(int leaveMillis) implements Prompt {
    public Close() {
      this(CliRun.LEAVE_MILLIS);
    }
  }

  static List<Effect> tell(Collection<? extends RunEvent> events) {
    return events.stream().<Effect>map(Tell::new).toList();
  }
}
