package dev.runyard.runner.backend.echo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.message.Message;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.transcript.MessageEvents;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentControl;
import dev.runyard.runner.backend.AgentOutput;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An agent in the runner itself that answers with the prompt, or with the messages it got: no
/// model, no process, no cost.
public final class EchoBackend implements AgentBackend {
  private static final AgentManifest MANIFEST =
      AgentCatalog.builtIn().find(AgentCatalog.ECHO.name()).orElseThrow();

  private static final String ROLE = "agent/" + AgentCatalog.ECHO.name();

  @Override
  public AgentManifest manifest() {
    return MANIFEST;
  }

  @Override
  public AgentRun start(AgentRunRequest request, BackendContext context) {
    AgentOutput output = new AgentOutput(context.shaper());
    Script script =
        new Script(
            whole(request, AgentCatalog.ECHO_EVENTS),
            Duration.ofMillis(whole(request, AgentCatalog.ECHO_INTERVAL_MILLIS)),
            value(request, AgentCatalog.ECHO_FAIL).asBoolean());
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("echo-" + request.runId())
            .unstarted(() -> echo(output, answers(request), script, context.clock()));
    thread.start();
    return new AgentRun(output, AgentControl.withoutInput(output, thread::interrupt));
  }

  private record Script(int events, Duration interval, boolean fail) {}

  /// The events of one answer: the prompt, or each message unchanged, in the echo's own role.
  private static List<RunEvent> answers(AgentRunRequest request) {
    if (request.standing().input().isEmpty()) {
      return List.of(new RunEvent.ModelDelta(request.prompt()));
    }
    List<RunEvent> events = new ArrayList<>();
    for (Message message : request.standing().input()) {
      events.addAll(
          MessageEvents.whole(
              new Message(ROLE, message.parts(), message.createdAt(), message.completedAt())));
    }
    return events;
  }

  private static void echo(
      AgentOutput output, List<RunEvent> answers, Script script, InstantSource clock) {
    long start = clock.millis();
    Optional<Failure> failure = Optional.empty();
    try {
      for (int i = 0; i < script.events(); i++) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (i > 0 && script.interval().isPositive()) {
          Thread.sleep(script.interval());
        }
        for (RunEvent event : answers) {
          output.tell(event);
        }
      }
      if (!(answers.getLast() instanceof RunEvent.ModelCompleted)) {
        output.tell(new RunEvent.ModelCompleted());
      }
      if (script.fail()) {
        failure = Optional.of(Failure.backend("echo_failed", "The run asked the echo to fail."));
      }
    } catch (InterruptedException _) {
      failure = Optional.of(Failure.backend("echo_stopped", "The echo was stopped."));
    }
    int code = failure.isEmpty() ? 0 : 1;
    output.end(
        new AgentSignal.Ended(
            Optional.of(new Attempt.Exit(code, null)), clock.millis() - start, failure, 0));
  }

  private static int whole(AgentRunRequest request, String key) {
    return value(request, key).asInt();
  }

  private static JsonNode value(AgentRunRequest request, String key) {
    JsonNode value = MANIFEST.effective(request.extensions(), key);
    if (value == null) {
      throw new IllegalStateException(key + " has a default");
    }
    return value;
  }
}
