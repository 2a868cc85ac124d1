package dev.runyard.agent.host;

import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentFailure;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.agent.channel.ToAgent;
import dev.runyard.agent.hub.HubStatus;
import dev.runyard.agent.hub.LocalHub;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.Failure;
import java.lang.reflect.InvocationTargetException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// One execution of an agent in its process, between its hub and the runner. The agent has a thread
/// of its own.
final class AgentExecution implements AgentHost {
  private static final Failure STOPPED = Failure.backend("agent_stopped", "The agent was stopped.");

  private final ToAgent.Start start;
  private final RunnerLink runner;
  private final HubOutput output;
  private final LocalHub hub;
  private final LogInbox mail;
  private final Questions questions;
  private final Thread thread;

  /// @param exit ends the process; called once the runner has been told of the end
  AgentExecution(ToAgent.Start start, RunnerLink runner, InstantSource clock, Exit exit) {
    this.start = start;
    this.runner = runner;
    this.output = new HubOutput(runner, start.agent());
    AtomicLong events = new AtomicLong();
    this.hub =
        new LocalHub(
            start.sessionId(),
            () -> start.attemptId() + "." + events.incrementAndGet(),
            clock,
            output::listenerBroke);
    this.mail = new LogInbox(runner, start);
    this.questions = new Questions(runner, start, hub);
    this.thread = Thread.ofPlatform().name("agent").unstarted(() -> exit.with(executed()));
  }

  /// Ends the process.
  @FunctionalInterface
  interface Exit {
    void with(Optional<Failure> failure);
  }

  void begin() {
    hub.subscribe(output);
    hub.startSession();
    hub.setStatus(HubStatus.RUNNING);
    thread.start();
  }

  void deliver(AgentInput input) {
    switch (input) {
      case AgentInput.Said said -> mail.deliver(said);
      case AgentInput.Decided decided -> questions.deliver(decided);
    }
  }

  /// Asks the agent to end. If it does not, its process is ended by the runner.
  void stop() {
    runner.stop();
    mail.end();
    thread.interrupt();
  }

  /// Whatever an agent throws must reach the runner: an agent that fails is not one that vanished.
  @SuppressWarnings("CatchAndPrintStackTrace")
  private Optional<Failure> executed() {
    Optional<Failure> failure;
    try {
      AgentDefinition agent = created();
      runner.started();
      new AgentHarness(hub, this, start.run()::runId).wrap(agent).execute(asked());
      output.finish();
      failure = Optional.empty();
    } catch (AgentFailure e) {
      failure = Optional.of(e.failure());
    } catch (InterruptedException _) {
      failure = Optional.of(STOPPED);
    } catch (Throwable e) {
      e.printStackTrace();
      failure =
          Optional.of(
              Failure.backend(
                  "agent_failed", "The agent threw " + e.getClass().getSimpleName() + "."));
    }
    if (runner.stopAsked()) {
      failure = failure.or(() -> Optional.of(STOPPED));
    }
    if (hub.status() != HubStatus.ABORTED) {
      hub.setStatus(failure.isEmpty() ? HubStatus.COMPLETE : HubStatus.IDLE);
    }
    hub.close();
    runner.end(failure);
    return failure;
  }

  private AgentDefinition created() throws Throwable {
    try {
      return Class.forName(start.type())
          .asSubclass(AgentDefinition.class)
          .getConstructor()
          .newInstance();
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  private AgentRequest asked() {
    return start.input().isEmpty()
        ? AgentRequest.of(start.prompt())
        : new AgentRequest(start.prompt(), start.input());
  }

  @Override
  public Mailbox open(String runId) {
    return mail.mailbox();
  }

  @Override
  public Answer ask(String runId, Ask ask) throws InterruptedException {
    return questions.ask(ask);
  }

  @Override
  public List<Message> history() {
    try {
      return runner.history();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The run ended.", e);
    }
  }
}
