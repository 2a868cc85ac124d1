package dev.runyard.agent.host;

import dev.runyard.agent.channel.Channel;
import dev.runyard.agent.channel.FromAgent;
import dev.runyard.agent.channel.FromAgentJson;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

/// The runner, as an agent's process sees it. Of what an agent's threads do after the end nothing
/// is reported: the runner takes a process that goes on for one that writes what it likes.
/// Thread-safe.
final class RunnerLink {
  private final Outbox outbox;
  private final ReentrantLock asking = new ReentrantLock();
  private final BlockingQueue<Optional<List<Message>>> history = new LinkedBlockingQueue<>();
  private volatile boolean stopAsked;
  private volatile boolean ended;

  RunnerLink(Outbox outbox) {
    this.outbox = outbox;
  }

  /// Reports that the agent exists, and returns when the runner has been written it, so that an
  /// agent that ends its process at once is not taken for one that never was.
  void started() {
    var _ = putAtOnce(new FromAgent.Started());
    outbox.drain();
  }

  /// Reports an event, waiting while the runner does not keep up. False if the runner does not get
  /// it, because the run has ended.
  boolean tell(RunEvent event) throws InterruptedException {
    String message = FromAgentJson.write(new FromAgent.Told(event));
    if (message.length() > Channel.MESSAGE_BYTES_MAX) {
      message =
          FromAgentJson.write(
              new FromAgent.Told(
                  new RunEvent.OutputTruncated(
                      "event", message.length(), Channel.MESSAGE_BYTES_MAX)));
    }
    return outbox.put(Channel.lines(message));
  }

  /// False as of [#tell].
  boolean ask(Question question) throws InterruptedException {
    return outbox.put(lines(new FromAgent.Asked(question.cut())));
  }

  /// The agent took an input; to be reported before anything that follows from it. False if the run
  /// has ended, so that the agent must not have it.
  boolean took(AgentInput input) {
    return putAtOnce(new FromAgent.Took(input.sequence()));
  }

  void refuse(AgentInput input) {
    var _ = putAtOnce(new FromAgent.Refused(input.sequence()));
  }

  /// The messages of the session before this run, oldest first.
  ///
  /// @throws PortUnavailable when they cannot be read now
  List<Message> history() throws InterruptedException {
    asking.lockInterruptibly();
    try {
      history.clear();
      var _ = putAtOnce(new FromAgent.HistoryWanted());
      return history
          .take()
          .orElseThrow(() -> new PortUnavailable("the session's messages cannot be read now"));
    } finally {
      asking.unlock();
    }
  }

  /// The runner's answer to [#history].
  void answer(Optional<List<Message>> messages) {
    history.add(messages);
  }

  /// From now on nothing is to be reported but inputs and the end.
  void stop() {
    stopAsked = true;
  }

  /// True once the runner wants the agent to end.
  boolean stopAsked() {
    return stopAsked;
  }

  /// Reports the end, after which nothing is reported, and returns when the runner has been written
  /// everything.
  void end(Optional<Failure> failure) {
    ended = true;
    outbox.putLast(lines(new FromAgent.Ended(failure)));
    outbox.drain();
  }

  /// True once the runner is being told of the end, which the agent's thread then brings about.
  boolean ended() {
    return ended;
  }

  private boolean putAtOnce(FromAgent message) {
    return outbox.putAtOnce(lines(message));
  }

  private static List<String> lines(FromAgent message) {
    return Channel.lines(FromAgentJson.write(message));
  }
}
