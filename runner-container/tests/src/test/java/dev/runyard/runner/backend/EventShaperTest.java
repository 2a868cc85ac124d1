package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.memory.MemoryArtifactStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EventShaperTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");

  private final MemoryArtifactStore store = new MemoryArtifactStore();
  @TempDir private Path folder;
  private EventShaper telling = EventShaper.bare();

  @BeforeEach
  void works() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path linked = Files.createSymbolicLink(folder.resolve("linked"), real);
    telling = EventShaper.of(store, RUN, "a1", linked);
  }

  @Test
  void reportsTheEndsOfAnOutputAndWhereAllOfItIs() {
    String output = "begin" + "x".repeat(2 * Bounds.MESSAGE_BYTES_MAX) + "end";

    List<RunEvent> told = telling.of(new RunEvent.ToolFailed("c", "n", "k", 1, output, 9));

    assertInstanceOf(RunEvent.OutputSpilled.class, told.getFirst());
    RunEvent.ToolFailed failed = assertInstanceOf(RunEvent.ToolFailed.class, told.getLast());
    assertEquals("out1-a1", failed.outputRef());
    String preview = String.valueOf(failed.preview());
    assertTrue(preview.startsWith("begin") && preview.endsWith("end"));
    assertTrue(preview.contains(Bounds.TRUNCATED));
    assertTrue(Bounds.bytes(preview) <= Bounds.MESSAGE_BYTES_MAX);
    assertEquals(1, store.keys().size());
  }

  @Test
  void reportsPathsFromTheWorkingDirectoryByEitherOfItsNames() {
    assertEquals("a/b.txt", path(folder.resolve("linked/a/b.txt").toString()));
    assertEquals("a/b.txt", path(folder.resolve("real/x/../a/b.txt").toString()));
    assertEquals("a/b.txt", path("./a/b.txt"));
    assertEquals("/elsewhere/c", path("/elsewhere/c"));
    assertEquals("\0", path("\0"));
  }

  @Test
  void reportsFilesUpToTheLimitAndThenOnceThatThereWereMore() {
    RunEvent change = new RunEvent.ArtifactChanged("c", "f", FileChange.MODIFIED);
    for (int i = 0; i < EventShaper.FILE_CHANGES_MAX; i++) {
      assertEquals(List.of(change), telling.of(change));
    }
    assertEquals(
        "file_changes_omitted",
        assertInstanceOf(RunEvent.RuntimeWarning.class, telling.of(change).getFirst()).code());
    assertEquals(List.of(), telling.of(change));
  }

  @Test
  void reportsNoPartOfAPath() {
    String path = "p".repeat(EventShaper.PATH_BYTES_MAX + 1);

    assertInstanceOf(
        RunEvent.RuntimeWarning.class,
        telling.of(new RunEvent.ArtifactChanged(null, path, null)).getFirst());
  }

  @Test
  void reportsAPlanOnlyWhenItChanges() {
    RunEvent plan = new RunEvent.TaskProgress(List.of(step("look", PlanEntry.Status.PENDING)));
    RunEvent later = new RunEvent.TaskProgress(List.of(step("look", PlanEntry.Status.COMPLETED)));
    RunEvent none = new RunEvent.TaskProgress(List.of());

    assertEquals(List.of(), telling.of(none));
    assertEquals(List.of(plan), telling.of(plan));
    assertEquals(List.of(), telling.of(plan));
    assertEquals(List.of(later), telling.of(later));
    assertEquals(List.of(none), telling.of(none));
  }

  @Test
  void boundsAPlan() {
    PlanEntry wordy =
        step("w".repeat(EventShaper.PLAN_ENTRY_BYTES_MAX + 1), PlanEntry.Status.IN_PROGRESS);

    List<RunEvent> told =
        telling.of(
            new RunEvent.TaskProgress(
                Collections.nCopies(EventShaper.PLAN_ENTRIES_MAX + 1, wordy)));

    RunEvent.TaskProgress plan = assertInstanceOf(RunEvent.TaskProgress.class, told.getFirst());
    assertEquals(EventShaper.PLAN_ENTRIES_MAX, plan.entries().size());
    assertTrue(plan.entries().getFirst().text().endsWith(Bounds.TRUNCATED));
    assertEquals(
        "plan_cut", assertInstanceOf(RunEvent.RuntimeWarning.class, told.getLast()).code());
  }

  private String path(String told) {
    RunEvent event = telling.of(new RunEvent.ArtifactChanged(null, told, null)).getFirst();
    return assertInstanceOf(RunEvent.ArtifactChanged.class, event).path();
  }

  private static PlanEntry step(String text, PlanEntry.Status status) {
    return new PlanEntry(text, status);
  }
}
