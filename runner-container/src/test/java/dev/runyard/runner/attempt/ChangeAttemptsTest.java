package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.LeftOut;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SnapshotUpdated;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.RunnerRig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What attempts keep of their workspaces.
@Timeout(60)
final class ChangeAttemptsTest {
  @TempDir private Path directory;
  private WorkspaceRig rig;

  @BeforeEach
  void open() throws Exception {
    Path work = Files.createDirectories(directory.toRealPath().resolve("work"));
    rig = new WorkspaceRig(directory, work, new RunnerRig(work));
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void keepsWhatTheAgentChangedBeforeTheAttemptEnds() throws Exception {
    String commit = rig.repository.commit("src/a", "one\ntwo\n");
    RunKey run =
        rig.submit(
            "echo three >> src/a; mkdir -p dist/deep; echo made > 'dist/deep/a file'",
            WorkspaceRequest.of(rig.source(), List.of(), 60, List.of("dist/**"), true));

    rig.work();

    List<String> types = rig.runner.types(run);
    assertTrue(types.indexOf("snapshot.updated") < types.indexOf("process.completed"));
    SnapshotUpdated told = rig.events(run, SnapshotUpdated.class).getFirst();
    KeptChange kept = kept(run);
    assertEquals(commit, told.baseCommit());
    assertEquals(2, told.files());
    assertEquals(2, told.linesAdded());
    assertEquals(1, told.artifacts());
    assertEquals(
        List.of(ChangedFile.Kind.ADDED, ChangedFile.Kind.MODIFIED),
        kept.files().stream().map(ChangedFile::kind).toList());
    assertTrue(content(run, kept, kept.patch()).contains("+three\n"));
    assertEquals("dist/deep/a file", kept.artifacts().getFirst().name());
    assertEquals("made\n", content(run, kept, kept.artifacts().getFirst()));
    assertTrue(told.workspace() != null && told.workspace().bytes() > 0);
    assertEquals(List.of(), rig.left());
  }

  @Test
  void keepsItWhenTheAgentFails() throws Exception {
    rig.repository.commit("a", "1\n");
    RunKey run = rig.submit("rm a; exit 3", WorkspaceRequest.of(rig.source()));

    rig.work();

    assertEquals(ChangedFile.Kind.DELETED, kept(run).files().getFirst().kind());
    assertEquals(1, rig.events(run, RunEvent.AttemptFailed.class).size());
  }

  @Test
  void leavesOutFilesWithASecret() throws Exception {
    rig.repository.commit("a", "1\n");
    rig.server.wants("x-access-token:" + WorkspaceRig.SECRET);
    RunKey run =
        rig.submit(
            "printf 'canary-of-%s' the-credential > stolen; echo fine > fine",
            WorkspaceRequest.of(rig.withSecret(), List.of(), 60, List.of("*"), true));

    rig.work();

    KeptChange kept = kept(run);
    assertEquals(List.of(new LeftOut("stolen", LeftOut.Reason.SECRET)), kept.leftOut());
    assertEquals(1, kept.files().size());
    assertFalse(content(run, kept, kept.patch()).contains(WorkspaceRig.SECRET));
    assertEquals(List.of("a", "fine"), kept.artifacts().stream().map(KeptObject::name).toList());
  }

  @Test
  void keepsTheFilesOfARunThatBeganWithNone() throws Exception {
    RunKey run = rig.submit("echo new > new", WorkspaceRequest.of(new WorkspaceSource.None()));

    rig.work();

    assertEquals("new", kept(run).files().getFirst().path());
  }

  @Test
  void keepsNothingForARunWithoutAWorkspace() throws Exception {
    RunKey run = rig.runner.submit("shell", "echo new > new", Map.of());

    rig.work();

    assertTrue(rig.events(run, SnapshotUpdated.class).isEmpty());
    assertTrue(new KeptChanges(rig.runner.artifacts).find(run).isEmpty());
  }

  private KeptChange kept(RunKey run) {
    return new KeptChanges(rig.runner.artifacts).find(run).orElseThrow();
  }

  private String content(RunKey run, KeptChange kept, @Nullable KeptObject object) {
    return new String(
        new KeptChanges(rig.runner.artifacts)
            .content(run, kept, Objects.requireNonNull(object))
            .orElseThrow(),
        StandardCharsets.UTF_8);
  }
}
