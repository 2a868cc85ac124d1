package dev.runyard.runner.backend;

import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A backend whose agents do only what a test says.
public final class RecordingBackend implements AgentBackend {
  private final AgentManifest manifest;
  private final Queue<Started> started = new ConcurrentLinkedQueue<>();

  public RecordingBackend(String kind) {
    this(
        new AgentManifest(
            new AgentKind(kind),
            "Test agent",
            "Does what a test says.",
            new TreeSet<>(List.of(Capabilities.RUN, Capabilities.EVENTS)),
            List.of(),
            List.of()));
  }

  public RecordingBackend(AgentManifest manifest) {
    this.manifest = manifest;
  }

  /// One start and its result.
  ///
  /// @param output through which the test emits the agent's output
  public record Started(
      AgentRunRequest request, BackendContext context, AgentOutput output, AgentRun run) {}

  public List<Started> started() {
    return List.copyOf(started);
  }

  @Override
  public AgentManifest manifest() {
    return manifest;
  }

  @Override
  public AgentRun start(AgentRunRequest request, BackendContext context) {
    AgentOutput output = new AgentOutput(context.shaper());
    AgentRun run = new AgentRun(output, AgentControl.withoutInput(output, () -> {}));
    started.add(new Started(request, context, output, run));
    return run;
  }
}
