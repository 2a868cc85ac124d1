package dev.runyard.runner.paused;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.PausedWorkspaces;
import dev.runyard.core.artifact.PausedWorkspaces.Found;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.runner.workspace.StoredFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PausedWorkspacesTest {
  private static final RunKey RUN = new RunKey("acme", "00000000-0000-7000-8000-000000000001");
  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private final PausedWorkspaces paused = new PausedWorkspaces(store);
  private final Path folder;
  private final Path from;

  PausedWorkspacesTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.from = Files.createDirectory(folder.resolve("from"));
  }

  @Test
  void findsNothingWhereNothingWasStored() {
    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 2));
  }

  @Test
  void bringsAWorkspaceOfSeveralPartsBack() throws IOException {
    byte[] large = new byte[2 * PausedWorkspaces.PART_BYTES + 1];
    new Random(1).nextBytes(large);
    Files.write(from.resolve("large"), large);
    assertTrue(paused.keep(RUN, 1, "a-1", this::pack, () -> {}));

    Found.Workspace found = assertInstanceOf(Found.Workspace.class, paused.find(RUN, 2));
    Path to = Files.createDirectory(folder.resolve("to"));
    assertEquals(PausedWorkspaces.Restored.RESTORED, paused.restore(RUN, found, into(to)));

    assertEquals(1, found.kept().parts());
    assertEquals("a-1", found.kept().attemptId());
    assertArrayEquals(large, Files.readAllBytes(to.resolve("large")));
  }

  @Test
  void leavesTheFolderToTheNextAttemptBeforeAnybodyFindsIt() {
    assertTrue(
        paused.keep(
            RUN,
            1,
            "a-1",
            this::pack,
            () -> assertInstanceOf(Found.Nothing.class, paused.find(RUN, 2))));
    assertInstanceOf(Found.Workspace.class, paused.find(RUN, 2));
  }

  @Test
  void passesOverAnAttemptThatStartedNoAgent() {
    assertTrue(paused.keep(RUN, 1, "a-1", this::pack, () -> {}));

    assertInstanceOf(Found.Workspace.class, paused.find(RUN, 3));
  }

  @Test
  void givesNobodyWhatAnotherAttemptHasWorkedOnSince() {
    assertTrue(paused.keep(RUN, 1, "a-1", this::pack, () -> {}));
    assertTrue(paused.begin(RUN, 2));

    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 3));
    assertTrue(paused.keep(RUN, 1, "a-1", this::pack, () -> {}), "by one that came late");
    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 3));
  }

  @Test
  void forgetsAWorkspaceThatWasTaken() {
    assertTrue(paused.keep(RUN, 1, "a-1", this::pack, () -> {}));
    Found.Workspace found = assertInstanceOf(Found.Workspace.class, paused.find(RUN, 2));
    assertTrue(paused.begin(RUN, 2));

    paused.forget(RUN, found);

    assertEquals(Set.of("acme/workspaces/" + RUN.runId() + "/2.json"), store.keys());
  }

  @Test
  void noticesAPartThatIsGone() throws IOException {
    assertTrue(paused.keep(RUN, 1, "a-1", this::pack, () -> {}));
    Found.Workspace found = assertInstanceOf(Found.Workspace.class, paused.find(RUN, 2));
    store.delete("acme/workspaces/" + RUN.runId() + "/1/0");

    Path to = Files.createDirectory(folder.resolve("to"));
    assertEquals(PausedWorkspaces.Restored.GONE, paused.restore(RUN, found, into(to)));
  }

  @Test
  void saysSoWhenTheStoreDoesNotAnswer() throws IOException {
    assertTrue(paused.keep(RUN, 1, "a-1", this::pack, () -> {}));
    Found.Workspace found = assertInstanceOf(Found.Workspace.class, paused.find(RUN, 2));
    FailingStore failing = new FailingStore(store);
    PausedWorkspaces out = new PausedWorkspaces(failing);
    failing.fail(_ -> true);

    assertInstanceOf(Found.Unreachable.class, out.find(RUN, 2));
    assertFalse(out.begin(RUN, 2));
    assertFalse(out.keep(RUN, 2, "a-2", this::pack, () -> {}));
    Path to = Files.createDirectory(folder.resolve("to"));
    assertEquals(PausedWorkspaces.Restored.UNREACHABLE, out.restore(RUN, found, into(to)));
  }

  private void pack(OutputStream listing) throws IOException {
    stored().pack(from, listing, StoredFiles.AS_THEY_ARE);
  }

  private PausedWorkspaces.Unpacking into(Path to) {
    return listing -> stored().unpack(listing, to);
  }

  private PausedFiles stored() {
    return new PausedFiles(store, () -> Instant.EPOCH, RUN);
  }
}
