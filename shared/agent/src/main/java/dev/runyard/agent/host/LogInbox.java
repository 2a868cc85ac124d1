package dev.runyard.agent.host;

import dev.runyard.agent.InjectedMessage;
import dev.runyard.agent.channel.ToAgent;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import java.util.HashSet;
import java.util.Set;

/// An agent's inbox, backed by the run's log. What the agent took before comes first; messages sent
/// within the process go to the log and come back from there like any other, so that there is one
/// order, on every runner. Thread-safe.
final class LogInbox {
  private static final String FROM_AGENT = "agent";

  private final RunnerLink runner;
  private final String runId;
  private final BoundedInbox inbox = new BoundedInbox(Limits.MESSAGES_MAX);
  private final Mailbox mailbox = new Mailbox(inbox, this::post);
  private final Set<String> known = new HashSet<>();
  private int posted;

  LogInbox(RunnerLink runner, ToAgent.Start start) {
    this.runner = runner;
    this.runId = start.run().runId();
    start.interactions().inbox().forEach(message -> known.add(message.messageId()));
    start.interactions().messages().forEach(message -> inbox.offer(injected(message), () -> {}));
  }

  Mailbox mailbox() {
    return mailbox;
  }

  synchronized void deliver(AgentInput.Said said) {
    known.add(said.message().messageId());
    if (!inbox.offer(injected(said.message()), () -> runner.took(said))) {
      runner.refuse(said);
    }
  }

  /// Sends from within the process. A message that an earlier attempt has sent is already in the
  /// log.
  private synchronized boolean post(String content) {
    String id = runId + ".own-" + (posted + 1);
    boolean sent = known.contains(id);
    if (!sent
        && !runner.stopAsked()
        && known.size() < Limits.MESSAGES_MAX
        && Bounds.bytes(content) <= Limits.MESSAGE_CONTENT_BYTES_MAX) {
      sent = told(new RunEvent.ChannelMessage(id, Bounds.wellFormed(content), FROM_AGENT));
    }
    if (sent) {
      posted++;
      known.add(id);
    }
    return sent;
  }

  private boolean told(RunEvent event) {
    try {
      return runner.tell(event);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void end() {
    inbox.close();
  }

  private static InjectedMessage injected(InboxMessage message) {
    return new InjectedMessage(message.content(), message.at());
  }
}
