package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.PausedWorkspaces;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.paused.FailingStore;
import dev.runyard.runner.paused.PausedFiles;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// When an attempt takes the files of the one before it, and what others find then.
class WorkspaceRestorerTest {
  private static final RunKey RUN = new RunKey("default", "019c0000-0000-7000-8000-000000000001");
  private final MemoryArtifactStore memory = new MemoryArtifactStore();
  private final FailingStore store = new FailingStore(memory);
  private final PausedWorkspaces paused = new PausedWorkspaces(store);
  private final Redaction redaction = new Redaction();
  private final Path folder;

  WorkspaceRestorerTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    Path files = Files.createDirectories(folder.resolve("files"));
    Files.writeString(files.resolve("notes"), "begun");
    assertTrue(
        paused.keep(
            RUN, 1, "a-1", to -> stored().pack(files, to, StoredFiles.AS_THEY_ARE), () -> {}));
  }

  @Test
  void takesNothingAwayBeforeTheAgentIsStarted() throws IOException {
    Set<String> before = memory.keys();
    RunFiles claimed = ready(attempt(2, true));
    assertEquals("begun", Files.readString(claimed.workspace().path().resolve("notes")));

    assertEquals(before, memory.keys());
    RunFiles next = ready(attempt(3, true));
    assertEquals("begun", Files.readString(next.workspace().path().resolve("notes")));
  }

  @Test
  void letsNoAttemptContinueWithFilesThatWereTaken() throws IOException {
    WorkspaceRestorer second = attempt(2, true);
    second.begin();

    assertEquals(Optional.empty(), second.take());

    assertEquals(new Prepared.Refused<>(WorkspaceRestorer.LOST), attempt(3, true).begin());
  }

  @Test
  void letsNoAttemptContinueAfterOneThatBeganAgain() throws IOException {
    WorkspaceRestorer second = attempt(2, false);
    ready(second);

    assertEquals(Optional.empty(), second.take());

    assertEquals(new Prepared.Refused<>(WorkspaceRestorer.LOST), attempt(3, true).begin());
  }

  @Test
  void givesBackWhatItTookWhereNoAgentStarts() throws IOException {
    WorkspaceRestorer second = attempt(2, true);
    second.begin();
    second.take();

    second.giveBack();
    second.forget();

    RunFiles next = ready(attempt(3, true));
    assertEquals("begun", Files.readString(next.workspace().path().resolve("notes")));
  }

  @Test
  void saysThatTheFilesAreLostThatCouldNotBeGivenBack() throws IOException {
    WorkspaceRestorer second = attempt(2, true);
    second.begin();
    second.take();
    store.fail(_ -> true);

    second.giveBack();

    store.fail(_ -> false);
    assertEquals(new Prepared.Refused<>(WorkspaceRestorer.LOST), attempt(3, true).begin());
  }

  @Test
  void startsNoAgentWhereTheStoreDoesNotAnswer() throws IOException {
    WorkspaceRestorer second = attempt(2, true);
    second.begin();
    store.fail(_ -> true);

    assertEquals(Optional.of(WorkspaceRestorer.UNREACHABLE), second.take());

    store.fail(_ -> false);
    second.forget();
    ready(attempt(3, true));
  }

  @Test
  void removesAtItsEndWhatItWentOnWith() throws IOException {
    WorkspaceRestorer second = attempt(2, true);
    second.begin();
    second.take();
    assertTrue(memory.keys().stream().anyMatch(key -> key.contains("/1/")));

    second.forget();

    assertEquals(Set.of("default/workspaces/" + RUN.runId() + "/2.json"), memory.keys());
  }

  @Test
  void storesNoSecretAndSaysSo() throws IOException {
    String secret = "s3cret-of-the-operator";
    redaction.know("TOKEN", secret);
    WorkspaceRestorer first = attempt(1, false);
    RunFiles files = ready(first);
    Path path = files.workspace().path();
    Files.writeString(path.resolve(".env"), "TOKEN=" + secret + "\n");
    Files.writeString(path.resolve(secret), "a name");
    Files.createSymbolicLink(path.resolve("link"), Path.of("to", secret));
    Files.writeString(path.resolve("other"), "begun");

    assertEquals(Optional.empty(), first.keeping(files, () -> true, () -> {}, () -> {}).keep());

    WorkspaceRestorer second = attempt(2, true);
    Path restored = ready(second).workspace().path();
    try (Stream<Path> names = Files.list(restored)) {
      assertEquals(
          Set.of(".env", "other"),
          names.map(name -> name.getFileName().toString()).collect(Collectors.toSet()));
    }
    assertEquals(
        "TOKEN=" + "*".repeat(secret.length()) + "\n", Files.readString(restored.resolve(".env")));
    assertEquals("begun", Files.readString(restored.resolve("other")));
    String warning = second.warning().orElseThrow().toString();
    assertTrue(warning.contains("3 files of the workspace contained secrets"), warning);
    assertEquals(Optional.empty(), first.warning());
  }

  private PausedFiles stored() {
    return new PausedFiles(store, () -> Instant.EPOCH, RUN);
  }

  private static RunFiles ready(WorkspaceRestorer attempt) throws IOException {
    return Preparations.ready(attempt.begin());
  }

  private WorkspaceRestorer attempt(int number, boolean continuation) {
    Attempt attempt = Preparations.claimed(number, continuation);
    return new WorkspaceRestorer(
        paused, stored(), attempt, folder.resolve("w" + number), redaction);
  }
}
