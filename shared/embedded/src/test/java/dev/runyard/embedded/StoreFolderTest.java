package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class StoreFolderTest {
  private static final RunKey RUN = SampleRun.key(1);
  private final StoreRig rig;

  StoreFolderTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void isForOneStoreAtATime() throws Exception {
    rig.store();

    String refusal =
        "Another process uses the store in %s. End it first, or give another folder."
            .formatted(rig.settings().folder());
    assertEquals(refusal, refusal(rig.settings()));
    assertEquals("refused: " + refusal, new ChildStore(rig.settings().folder()).firstLine());
    assertEquals(refusal, refusal(rig.settings()), "still, after others have looked");

    rig.closeStore();
    assertEquals("open", new ChildStore(rig.settings().folder()).firstLine());
  }

  @Test
  void isGivenUpWhenTheStoreCannotBeOpened() throws Exception {
    Files.createDirectories(rig.settings().folder());
    Path file = StoreFolder.file(rig.settings().folder());
    Files.writeString(file, "This is no database, but a file that somebody put here.\n".repeat(40));

    String refusal = refusal(rig.settings());
    assertTrue(refusal.startsWith("The store cannot be opened: the file is damaged"), refusal);

    Files.delete(file);
    assertEquals(0, rig.store().events().chunksAfter(RUN, 0).size());
  }

  @Test
  void isItsUsersAlone() throws Exception {
    Path backup = rig.folder().resolve("backups").resolve("copy");
    rig.store().backup(backup);
    for (Path made : List.of(rig.settings().folder(), backup)) {
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
    }
  }

  @Test
  void cannotBeAFile() throws Exception {
    Path file = Files.writeString(rig.folder().resolve("file"), "");

    String refusal = refusal(new StoreSettings(file, StoreRig.RETENTION));

    assertTrue(refusal.startsWith("The folder %s cannot be used".formatted(file)), refusal);
  }

  @Test
  void mayHaveAnyName() {
    Path folder = rig.folder().resolve("a b?c#d%41é;'\"");
    StoreSettings settings = new StoreSettings(folder, StoreRig.RETENTION);
    try (EmbeddedStore store = EmbeddedStore.open(settings, rig.environment())) {
      store.events().append(SampleRun.output(RUN, 1, "text"));
    }

    assertTrue(Files.exists(StoreFolder.file(folder)));
    try (EmbeddedStore store = EmbeddedStore.open(settings, rig.environment())) {
      assertEquals(1, store.events().chunksAfter(RUN, 0).size());
    }
  }

  @Test
  void aStoreThatWasClosedTwiceGivesUpNothingOfTheNext() {
    EmbeddedStore first = rig.store();
    first.close();
    rig.reopened();
    first.close();

    assertTrue(refusal(rig.settings()).startsWith("Another process uses the store"));
  }

  private String refusal(StoreSettings settings) {
    StoreRefused refused =
        assertThrows(
            StoreRefused.class, () -> EmbeddedStore.open(settings, rig.environment()).close());
    return String.valueOf(refused.getMessage());
  }
}
