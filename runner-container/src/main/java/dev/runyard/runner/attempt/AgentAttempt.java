package dev.runyard.runner.attempt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.process.RunMark;
import java.nio.file.Path;
import java.util.Optional;

/// An attempt and the agent of its run.
///
/// @param backend runs such agents; empty for a kind this runner does not know
/// @param settings the operator's settings of such agents
/// @param base what its thread goes on from
record AgentAttempt(
    RunFacts facts,
    Attempt attempt,
    Optional<AgentBackend> backend,
    AgentSettings.Agent settings,
    AttemptOrigin base) {
  static AgentAttempt of(RunFacts facts, Attempt attempt, AgentSetup setup) {
    AgentKind kind = kind(facts);
    return new AgentAttempt(
        facts,
        attempt,
        setup.gateway().backend(kind),
        setup.environment().settings(kind),
        new AttemptOrigin(setup.stores().bases(), facts.run(), facts.request()));
  }

  /// The same, going on from what these stores say.
  AgentAttempt in(AgentSetup setup) {
    return of(facts, attempt, setup);
  }

  RunKey run() {
    return facts.run();
  }

  RunRequest request() {
    return facts.request();
  }

  AgentKind kind() {
    return kind(facts);
  }

  /// True where no agent is wanted, but that the change of another run is published.
  boolean publishes() {
    return request().workspace() != null && request().workspace().publishes().isPresent();
  }

  /// Names the processes and folders of the attempt.
  RunMark mark() {
    return new RunMark(run().runId(), attempt.id());
  }

  /// The program or class that will run, for people.
  String program() {
    String program = settings.program();
    return program == null ? kind().name() : String.valueOf(Path.of(program).getFileName());
  }

  /// A run asks people only if its request, or else its agent's default, says so.
  boolean interactive() {
    JsonNode alone =
        backend
            .map(AgentBackend::manifest)
            .filter(manifest -> manifest.capabilities().contains(Capabilities.NON_INTERACTIVE))
            .map(
                manifest ->
                    manifest.effective(request().extensions(), Capabilities.NON_INTERACTIVE))
            .orElse(null);
    return alone != null && !alone.booleanValue();
  }

  private static AgentKind kind(RunFacts facts) {
    return new AgentKind(facts.request().agent());
  }
}
