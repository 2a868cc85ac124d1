package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Failure;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What a protocol wants done. The protocol only says what, and the run does it, so that a protocol
/// can be tested without a process.
public sealed interface Effect {
  /// Reports an event; may wait until there is room for it.
  record Tell(RunEvent event) implements Effect {}

  /// Asks a person; may wait like [Tell].
  record Ask(Question question) implements Effect {}

  /// A line for the agent that may take a while to find, and that the agent waits for.
  record Reply(Supplier<String> line) implements Effect {}

  /// Something that never waits, done before the other effects of the same list.
  sealed interface Prompt extends Effect {}

  /// The agent took an input. To be reported before the line that hands it over is written.
  record Took(AgentInput input) implements Prompt {}

  /// The agent does not get an input, with a reason for people.
  record Refuse(AgentInput input, String reason) implements Prompt {}

  /// A line for the agent, without its line end.
  record Write(String line) implements Prompt {}

  /// Closes the agent's input. An agent that does not end by itself is ended.
  ///
  /// @param leaveMillis how long it may take
  record Close(int leaveMillis) implements Prompt {
    public Close() {
      this(CliRun.LEAVE_MILLIS);
    }
  }

  /// Ends the agent's process if after this long there is a reason for it.
  ///
  /// @param failure the reason
  record Expect(int millis, Supplier<Optional<Failure>> failure) implements Prompt {}

  static List<Effect> tell(Collection<? extends RunEvent> events) {
    return events.stream().<Effect>map(Tell::new).toList();
  }
}
