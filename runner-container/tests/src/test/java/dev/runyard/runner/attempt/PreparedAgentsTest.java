package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.artifact.Bucket;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.thread.ThreadOrigin;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.process.ProcessLauncher;
import dev.runyard.runner.process.RunMark;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreparedAgentsTest {
  private static final int KILLED_OR_TERMINATED = 128;
  private static final RunKey RUN = new RunKey("default", "019c0000-0000-7000-8000-00000000ac01");

  @TempDir private Path directory;

  @Test
  void endsWhatALostAttemptLeftOnThisMachineAndNothingElse() throws Exception {
    Process lost = marked("lost");
    Process other = marked("other");
    try {
      agents().endLost(RUN, "lost");

      assertTrue(lost.waitFor() > KILLED_OR_TERMINATED);
      assertTrue(other.isAlive());
    } finally {
      lost.destroyForcibly();
      other.destroyForcibly();
    }
    assertEquals(137, other.waitFor());
  }

  @Test
  void removesTheFoldersOfALostAttempt() throws Exception {
    Path lost = directory.resolve("checkouts").resolve(new RunMark(RUN.runId(), "lost").value());
    Path other = directory.resolve("checkouts").resolve(new RunMark(RUN.runId(), "other").value());
    Files.createDirectories(lost.resolve("git"));
    Files.createDirectories(other.resolve("git"));

    agents().endLost(RUN, "lost");

    assertFalse(Files.exists(lost));
    assertTrue(Files.exists(other));
  }

  private static Process marked(String attemptId) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("setsid", "sleep", "1000");
    builder.environment().put(RunMark.VARIABLE, new RunMark(RUN.runId(), attemptId).value());
    return builder.start();
  }

  private PreparedAgents agents() {
    return new PreparedAgents(
        new AgentSetup(
            new AgentGateway(List.of()),
            new AgentEnvironment(AgentSettings.NONE, Map.of()),
            new RunnerFolders(directory, false),
            AttemptStores.in(
                new Bucket(
                    new MemoryArtifactStore(),
                    new MemoryLargeObjects(new MemoryArtifactStore(), InstantSource.system())),
                Quotas.NONE,
                _ -> ThreadOrigin.NONE),
            new BackendServices(
                ProcessLauncher.onThisMachine(),
                () -> Instant.EPOCH,
                BackendContext.Sessions.NONE,
                new ModelGateway(() -> Instant.EPOCH, new RandomIds(new SecureRandom()))),
            new RunnerLog(new PrintStream(PrintStream.nullOutputStream()), () -> Instant.EPOCH)));
  }
}
