package dev.runyard.core.transcript;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.message.Message;
import java.util.ArrayList;
import java.util.List;

/// What a run was asked and what its agent answered, as messages. An attempt that begins from the
/// start replaces the messages of earlier ones; one that continues another adds to them.
public record RunMessages(List<Message> input, List<Message> output) {
  private static final String USER = "user";

  public RunMessages {
    input = List.copyOf(input);
    output = List.copyOf(output);
  }

  /// The messages in the events of a run, read from its first on.
  public static RunMessages of(List<StoredEvent> events) {
    List<Message> input = new ArrayList<>();
    List<Message> output = new ArrayList<>();
    MessageReader reader = new MessageReader("agent");
    for (StoredEvent stored : events) {
      if (stored.event() instanceof RunEvent.TaskCreated created) {
        reader = new MessageReader("agent/" + created.agent());
      } else if (stored.event() instanceof RunEvent.TurnSubmitted turn) {
        input.addAll(
            turn.input() == null ? List.of(Message.text(USER, turn.prompt())) : turn.input());
      }
      for (MessageReader.Boundary boundary : reader.read(stored)) {
        if (boundary instanceof MessageReader.Boundary.Completed completed) {
          output.add(completed.message());
        }
      }
      if (stored.event() instanceof RunEvent.AttemptStarted started && !started.continuation()) {
        output.clear();
      }
    }
    return new RunMessages(input, output);
  }
}
