package dev.runyard.agent;

import dev.runyard.agent.hub.Hub;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.core.message.Message;
import java.util.List;

/// What one execution of an agent may use.
public interface AgentContext {
  /// Where the agent emits its events; it does not print.
  Hub hub();

  /// The messages sent to this execution, and to no other.
  AgentInbox inbox();

  /// The id of this execution, for [Hub#sendToRun].
  String runId();

  String sessionId();

  /// The messages of the session before this run, oldest first.
  List<Message> history();

  /// Asks a person and waits, for days if necessary. Questions of one execution are asked one after
  /// another.
  ///
  /// @throws InterruptedException when the run ends before
  Answer ask(Ask ask) throws InterruptedException;

  /// Emits a whole message, of any content.
  default void say(Message message) {
    hub().emit(HubEvent.said(message, runId()));
  }

  /// Emits more of the message being written, in plain text.
  default void write(String text) {
    hub().emit(HubEvent.text(text, runId()));
  }
}
