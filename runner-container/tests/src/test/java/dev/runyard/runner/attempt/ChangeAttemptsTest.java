package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.LeftOut;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SnapshotUpdated;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.runner.RunnerRig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// What attempts keep of their workspaces.
@Execution(ExecutionMode.CONCURRENT)
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
  void tellsOfASubmoduleThatIsGone() throws Exception {
    String commit = rig.repository.commit("a", "1\n");
    rig.repository.git("update-index", "--add", "--cacheinfo", "160000," + commit + ",mods/sub");
    rig.repository.git("update-index", "--add", "--cacheinfo", "160000," + commit + ",other");
    rig.repository.git("commit", "-q", "-m", "submodules");
    RunKey gone = rig.submit("rm -r mods; echo top > top", WorkspaceRequest.of(rig.source()));
    RunKey replaced = rig.submit("rmdir other; echo f > other", WorkspaceRequest.of(rig.source()));

    rig.work();
    rig.work();

    assertEquals(
        List.of(
            new LeftOut("mods/sub", LeftOut.Reason.SUBMODULE),
            new LeftOut("other", LeftOut.Reason.SUBMODULE)),
        kept(gone).leftOut().stream().sorted(Comparator.comparing(LeftOut::path)).toList());
    assertEquals("top", kept(gone).files().getFirst().path());
    assertEquals(
        List.of(new LeftOut("mods/sub", LeftOut.Reason.SUBMODULE)), kept(replaced).leftOut());
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

  /// Neither the archive nor the large file is ever whole in memory.
  @Test
  void keepsAnArchiveInsteadOfAPatchThatWouldBeTooLarge() throws Exception {
    rig.repository.commit("a", "1\n");
    RunKey run =
        rig.submit(
            "for i in 1 2 3 4; do head -c 16000000 /dev/urandom > part$i; done;"
                + " cat part1 part2 part3 part4 > all; rm part4",
            WorkspaceRequest.of(rig.source(), List.of(), 60, List.of("all"), false));

    rig.work();

    KeptChange kept = kept(run);
    assertNull(kept.patch());
    KeptObject archive = Objects.requireNonNull(kept.archive());
    assertTrue(archive.bytes() > ChangeBounds.SENT_BYTES_MAX);
    assertEquals(64_000_000, kept.artifacts().getFirst().bytes());
    for (KeptObject object : List.of(archive, kept.artifacts().getFirst())) {
      byte[] content =
          new KeptChanges(rig.runner.artifacts).content(run, kept, object).orElseThrow();
      assertEquals(object.bytes(), content.length);
      assertEquals(object.sha256(), HexFormat.of().formatHex(Digest.of(content)));
    }
    SnapshotUpdated told = rig.events(run, SnapshotUpdated.class).getFirst();
    assertNull(told.patch());
    assertEquals(archive.bytes(), Objects.requireNonNull(told.workspace()).bytes());
  }

  @Test
  void keepsNoMoreAndNoLargerArtifactsThanItMay() throws Exception {
    rig.repository.commit("a", "1\n");
    RunKey run =
        rig.submit(
            "i=0; while [ $i -lt %d ]; do echo $i > $i.txt; i=$((i+1)); done; truncate -s %d 0.bin"
                .formatted(ChangeBounds.ARTIFACTS_MAX + 3, ChangeBounds.ARTIFACT_BYTES_MAX + 1L),
            WorkspaceRequest.of(rig.source(), List.of(), 60, List.of("*.txt", "*.bin"), false));

    rig.work();

    KeptChange kept = kept(run);
    assertEquals(ChangeBounds.ARTIFACTS_MAX, kept.artifacts().size());
    assertEquals(
        List.of("0.bin"),
        kept.leftOut().stream()
            .filter(left -> left.reason() == LeftOut.Reason.TOO_LARGE)
            .map(LeftOut::path)
            .toList());
    assertEquals(
        3,
        kept.leftOut().stream().filter(left -> left.reason() == LeftOut.Reason.TOO_MANY).count());
    assertEquals(kept.leftOutTotal(), rig.events(run, SnapshotUpdated.class).getFirst().leftOut());
  }

  @Test
  void keepsOnlyThePatchForATenantThatHasStoredAsMuchAsItMay() throws Exception {
    rig.repository.commit("a", "1\n");
    WorkspaceRequest all = WorkspaceRequest.of(rig.source(), List.of(), 60, List.of("*"), true);
    KeptLedger ledger = new KeptLedger(rig.runner.artifacts, Quotas.NONE, rig.runner.clock);
    RunKey first = rig.submit("head -c 3000000 /dev/urandom > b", all);
    rig.work();
    KeptChange kept = kept(first);
    assertNotNull(kept.archive());
    assertEquals(2, kept.artifacts().size());
    assertTrue(ledger.bytes("acme") >= 9_000_000, "its files, its artifacts and its archive count");

    ledger.add("acme", KeptLedger.TENANT_KEPT_BYTES_MAX);
    RunKey second = rig.submit("echo 3 > c", all);
    rig.work();

    kept = kept(second);
    assertNotNull(kept.patch());
    assertNull(kept.archive());
    assertEquals(List.of(), kept.artifacts());
    assertEquals(
        List.of(
            new LeftOut("*", LeftOut.Reason.QUOTA),
            new LeftOut("workspace.tar.gz", LeftOut.Reason.QUOTA)),
        kept.leftOut());
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
