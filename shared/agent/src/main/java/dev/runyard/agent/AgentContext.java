package dev.runyard.agent;

import dev.runyard.agent.hub.Hub;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.core.message.Message;
import java.util.List;

/// What one execution of an agent may use.
public interface AgentContext {
  /// Where the agent tells what happens; it prints nothing.
  Hub hub();

  /// The messages sent to this execution, and to no other.
  AgentInbox inbox();

  /// Names this execution, for [Hub#sendToRun].
  String runId();

  String sessionId();

  /// What was said in the session before this run, oldest first.
  List<Message> history();

  /// Asks a person and waits, if need be for days. Questions of one execution are asked one after
  /// another.
  ///
  /// @throws InterruptedException when the run ends meanwhile
  Answer ask(Ask ask) throws InterruptedException;

  /// Says a whole message, of any content.
  default void say(Message message) {
    hub().emit(HubEvent.said(message, runId()));
  }

  /// Says more of the message being said, in plain text.
  default void write(String text) {
    hub().emit(HubEvent.text(text, runId()));
  }
}
