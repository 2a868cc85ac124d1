package dev.runyard.agent.host;

import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.core.message.Message;
import java.util.List;

/// The environment of executions, as the harness needs it.
public interface AgentHost {
  /// The mailbox of an execution that is about to begin.
  Mailbox open(String runId);

  Answer ask(String runId, Ask ask) throws InterruptedException;

  List<Message> history();
}
