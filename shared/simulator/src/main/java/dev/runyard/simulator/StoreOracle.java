package dev.runyard.simulator;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.PausedWorkspaces;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.problem.Failure;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Watches what attempts leave in the bucket: the files of a paused run are there from its pause
/// until its next agent starts or it ends, and an output is there before an event names it. It asks
/// of each agent that did not find what it needs why that is so.
final class StoreOracle {
  /// Faults that keep the bucket from whoever they hit.
  private static final Set<Fault> WITHHOLDING =
      EnumSet.of(Fault.REFUSAL, Fault.SLOW_CALL, Fault.PARTITION, Fault.RIGHT_MISSING);

  /// A run's files, or what its agent remembers, could not be had when its agent was to start.
  static final String FILES_AWAY = "workspace_unavailable";

  private final ArtifactStore bucket;
  private final PausedWorkspaces workspaces;
  private final ScriptedAgents agents;
  private final Faults faults;
  private final AttemptHits attempts;
  private final Map<RunKey, AgentMode> modes = new HashMap<>();
  private final Map<RunKey, RunEvent.TaskPaused> paused = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  /// @param bucket as it is, without faults
  StoreOracle(ArtifactStore bucket, ScriptedAgents agents, Faults faults, AttemptHits attempts) {
    this.attempts = attempts;
    this.bucket = bucket;
    this.workspaces = new PausedWorkspaces(bucket);
    this.agents = agents;
    this.faults = faults;
  }

  /// Something was appended just now.
  void appended(Chunk chunk) {
    for (StoredEvent stored : chunk.events(EventCodec.RUNS)) {
      RunKey run = stored.run();
      switch (stored.event()) {
        case RunEvent.TaskCreated created -> modes.put(run, AgentMode.of(created.tags()));
        case RunEvent.TaskPaused now -> pauses(run, now);
        case RunEvent.AttemptStarted started when !started.continuation() -> paused.remove(run);
        case RunEvent.ProcessStarted _, RunEvent.Terminal _ -> there(run, paused.remove(run));
        case RunEvent.OutputSpilled spilled -> kept(run, spilled);
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
  }

  private void pauses(RunKey run, RunEvent.TaskPaused now) {
    if (modes.get(run) == AgentMode.RESUMED && !now.reason().equals(Failure.RUNNER_LOST)) {
      there(run, now);
      paused.put(run, now);
    }
  }

  /// The next attempt finds the files as the paused one left them.
  private void there(RunKey run, RunEvent.@Nullable TaskPaused since) {
    if (since == null) {
      return;
    }
    AgentFiles files = new AgentFiles();
    boolean found =
        workspaces.find(run, since.attempt() + 1) instanceof PausedWorkspaces.Found.Workspace left
            && workspaces.restore(run, left, files::unpack) == PausedWorkspaces.Restored.RESTORED;
    ScriptedAgent agent = agents.byAttempt().get(since.attemptId());
    expect(
        found && agent != null && agent.files().done() == files.done(),
        run,
        "was paused with attempt %d, and its files are %s"
            .formatted(since.attempt(), found ? "others" : "not there"));
  }

  private void kept(RunKey run, RunEvent.OutputSpilled spilled) {
    Optional<byte[]> there = bucket.get(new StoredOutput(run, spilled.outputRef()).key());
    expect(
        there.filter(content -> hash(content).equals(spilled.sha256())).isPresent(),
        run,
        "names the output %s, which is not there".formatted(spilled.outputRef()));
  }

  private static String hash(byte[] content) {
    return HexFormat.of().formatHex(Digest.of(content));
  }

  /// Why the agents of a run that did not find what they needed did not.
  void check(List<StoredEvent> events) {
    boolean gone = false;
    boolean begun = false;
    for (StoredEvent stored : events) {
      switch (stored.event()) {
        case RunEvent.AttemptStarted started -> {
          gone &= started.continuation();
          begun = false;
        }
        case RunEvent.ProcessStarted _ -> begun = true;
        case RunEvent.OutputSpilled spilled -> kept(stored.run(), spilled);
        case RunEvent.TaskPaused lost -> gone |= lost.reason().equals(Failure.RUNNER_LOST) && begun;
        case RunEvent.AttemptFailed failed -> {
          Failure refused = agents.refused().get(failed.attemptId());
          expect(
              refused == null
                  || (gone && refused.code().equals(Failure.RUNNER_LOST))
                  || unkept(refused.code(), failed.attemptId()),
              stored.run(),
              "%s did not find what it needs: %s".formatted(failed.attemptId(), refused));
          gone |= begun && (refused != null || troubled(failed.attemptId()));
        }
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
  }

  /// A failure that a bucket explains which did not answer when something was to be kept. A start
  /// waits for the bucket, so none fails for that.
  boolean unkept(String code, String attemptId) {
    return code.equals(Failure.WORKSPACE_NOT_KEPT) && troubled(attemptId);
  }

  private boolean troubled(String attemptId) {
    return attempts.withoutBucket(attemptId, WITHHOLDING);
  }

  List<Violation> violations() {
    return List.copyOf(violations);
  }

  private void expect(boolean holds, RunKey run, String detail) {
    if (!holds) {
      violations.add(
          new Violation(
              "files", "%s %s; faults %s".formatted(run.runId(), detail, faults.kinds())));
    }
  }
}
