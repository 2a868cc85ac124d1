package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentFailure;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.agent.host.AgentHarness;
import dev.runyard.agent.host.AgentHost;
import dev.runyard.agent.host.Mailbox;
import dev.runyard.agent.hub.HubStatus;
import dev.runyard.agent.hub.LocalHub;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentControl;
import dev.runyard.runner.backend.AgentOutput;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.PausePolicy;
import dev.runyard.runner.backend.ReplayFilter;
import dev.runyard.runner.backend.RunContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// One execution of a Java agent, between its hub and the run's log.
final class JavaAgentRun implements AgentHost, AgentControl {
  static final Failure STOPPED = Failure.backend("agent_stopped", "The agent was stopped.");
  static final Failure NOT_STOPPED =
      Failure.backend(
          "agent_not_stopped",
          "The agent was interrupted and did not end. It may still be running.");

  private final AgentDefinition agent;
  private final AgentRunRequest request;
  private final BackendContext context;
  private final Duration stopWait;
  private final AgentOutput output;
  private final LogInbox mail;
  private final Questions questions;
  private final HubOutput news;
  private final LocalHub hub;
  private final AgentHarness harness;
  private final Thread thread;
  private final long startedAt;

  JavaAgentRun(
      AgentDefinition agent, AgentRunRequest request, BackendContext context, Duration stopWait) {
    this.agent = agent;
    this.request = request;
    this.context = context;
    RunContext standing = request.standing();
    long outputs = standing.continuation() ? standing.interactions().outputs() : 0;
    this.output = new AgentOutput(context.shaper(), new ReplayFilter(outputs));
    this.stopWait = stopWait;
    this.mail = new LogInbox(output, standing);
    this.news = new HubOutput(output, agent.name());
    AtomicLong events = new AtomicLong();
    this.hub =
        new LocalHub(
            standing.sessionId(),
            () -> request.attemptId() + "." + events.incrementAndGet(),
            context.clock(),
            news::listenerBroke);
    this.questions = new Questions(output, standing, hub);
    this.harness = new AgentHarness(hub, this, request::runId);
    this.thread =
        Thread.ofPlatform().daemon().name("agent-" + request.runId()).unstarted(this::execute);
    this.startedAt = context.clock().millis();
  }

  AgentRun start() {
    hub.subscribe(news);
    hub.startSession();
    hub.setStatus(HubStatus.RUNNING);
    thread.start();
    return new AgentRun(output, this, new PausePolicy.Replayed());
  }

  @Override
  public void deliver(AgentInput input) {
    switch (input) {
      case AgentInput.Said said -> mail.deliver(said);
      case AgentInput.Decided decided -> questions.deliver(decided);
    }
  }

  @Override
  public void stop() {
    mail.end();
    thread.interrupt();
    try {
      if (!thread.join(stopWait)) {
        output.end(ended(Optional.of(NOT_STOPPED), 1));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void execute() {
    Optional<Failure> failure =
        Optional.of(
            Failure.backend("agent_failed", "The agent broke. The runner's log says where."));
    try {
      harness.wrap(agent).execute(asked());
      news.finish();
      failure = Optional.empty();
    } catch (AgentFailure e) {
      failure = Optional.of(e.failure());
    } catch (InterruptedException _) {
      failure = Optional.of(STOPPED);
    } catch (Exception e) {
      failure =
          Optional.of(
              Failure.backend(
                  "agent_failed", "The agent threw " + e.getClass().getSimpleName() + "."));
    } finally {
      if (hub.status() != HubStatus.ABORTED) {
        hub.setStatus(failure.isEmpty() ? HubStatus.COMPLETE : HubStatus.IDLE);
      }
      hub.close();
      output.end(ended(output.stopAsked() ? Optional.of(failure.orElse(STOPPED)) : failure, 0));
    }
  }

  private AgentRequest asked() {
    List<Message> input = request.standing().input();
    return input.isEmpty()
        ? AgentRequest.of(request.prompt())
        : new AgentRequest(request.prompt(), input);
  }

  private AgentSignal.Ended ended(Optional<Failure> failure, int left) {
    return new AgentSignal.Ended(
        Optional.of(new Attempt.Exit(failure.isEmpty() ? 0 : 1, null)),
        context.clock().millis() - startedAt,
        failure,
        left);
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
    return context
        .sessions()
        .said(request.standing().run().tenant(), request.standing().sessionId());
  }
}
