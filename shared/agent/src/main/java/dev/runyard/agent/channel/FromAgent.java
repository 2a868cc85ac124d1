package dev.runyard.agent.channel;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Failure;
import java.util.Optional;

/// What the process of an agent writes to its runner, in the order in which it happened.
public sealed interface FromAgent {
  /// The agent was created and begins; the first message.
  record Started() implements FromAgent {}

  /// Output of the agent, or a message it sent to itself.
  record Told(RunEvent event) implements FromAgent {}

  /// The agent asks a person.
  record Asked(Question question) implements FromAgent {}

  /// The agent took the input of this sequence. Comes before anything that follows from it.
  record Took(long sequence) implements FromAgent {}

  /// The agent had ended before it could take the input of this sequence.
  record Refused(long sequence) implements FromAgent {}

  /// The agent wants the messages of its session, and waits for them.
  record HistoryWanted() implements FromAgent {}

  /// The agent has ended; the last message. Its process exits at once.
  ///
  /// @param failure why it did not do what was asked; empty for success
  record Ended(Optional<Failure> failure) implements FromAgent {}
}
