package dev.runyard.core.artifact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.artifact.PausedWorkspaces.Found;
import dev.runyard.core.artifact.PausedWorkspaces.Restored;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PausedWorkspacesTest {
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final String PREFIX = "acme/workspaces/" + RUN.runId() + "/";
  private final FailingStore store = new FailingStore();
  private final PausedWorkspaces paused = new PausedWorkspaces(store);

  @Test
  void findsNothingWhereNothingWasStored() {
    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 1));
    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 2));
  }

  @Test
  void givesTheNextAttemptWhatTheLastOneLeft() {
    keep(1, "files");

    Found.Workspace found = workspace(2);

    assertEquals(1, found.number());
    assertEquals(new PausedWorkspaces.Kept("a-1", 1), found.kept());
    assertEquals("files", restored(found));
    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 1), "not the attempt itself");
  }

  @Test
  void isInPartsWhateverPiecesItWasWrittenIn() throws IOException {
    byte[] large = new byte[2 * PausedWorkspaces.PART_BYTES + 100_001];
    new Random(1).nextBytes(large);
    assertTrue(
        paused.keep(
            RUN,
            1,
            "a-1",
            archive -> {
              archive.write(large[0]);
              archive.write(large, 1, PausedWorkspaces.PART_BYTES - 1);
              archive.write(large, PausedWorkspaces.PART_BYTES, 70_000);
              int rest = PausedWorkspaces.PART_BYTES + 70_000;
              archive.write(large, rest, large.length - rest);
              archive.close();
            },
            () -> {}));

    Found.Workspace found = workspace(2);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    assertEquals(Restored.RESTORED, paused.restore(RUN, found, archive -> archive.transferTo(all)));

    assertEquals(3, found.kept().parts());
    assertArrayEquals(large, all.toByteArray());
    assertEquals(
        List.of(PausedWorkspaces.PART_BYTES, PausedWorkspaces.PART_BYTES, 100_001),
        List.of(bytes("1/0"), bytes("1/1"), bytes("1/2")));
  }

  @Test
  void isReadByteByByteToItsEnd() {
    keep(1, "a\u00ff");
    Found.Workspace found = workspace(2);

    assertEquals(
        Restored.RESTORED,
        paused.restore(
            RUN,
            found,
            archive -> {
              assertEquals('a', archive.read());
              assertEquals(0, archive.read(new byte[1], 0, 0));
              assertEquals(0xc3, archive.read());
              byte[] rest = new byte[5];
              assertEquals(1, archive.read(rest, 2, 3));
              assertEquals((byte) 0xbf, rest[2]);
              assertEquals(-1, archive.read());
            }));
  }

  @Test
  void passesOverAsManyAttemptsAsRunnersMayGiveBack() {
    keep(1, "files");
    for (int number = 2; number <= Limits.ATTEMPTS_HANDED_BACK_MAX; number++) {
      paused.begin(RUN, number);
      paused.giveBack(RUN, number);

      assertEquals(1, workspace(number + 1).number());
    }
  }

  @Test
  void givesNobodyWhatAnotherAttemptHasWorkedOnSince() {
    keep(1, "files");
    assertTrue(paused.begin(RUN, 2));

    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 3));
    keep(1, "late");
    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 3));
  }

  @Test
  void givesBackWhatAnAttemptTookThatDidNotBegin() {
    keep(1, "files");
    paused.begin(RUN, 2);

    paused.giveBack(RUN, 2);

    assertEquals("files", restored(workspace(3)));
  }

  @Test
  void isLostWhereItCouldNotBeGivenBack() {
    keep(1, "files");
    paused.begin(RUN, 2);
    store.fail(_ -> true);
    paused.giveBack(RUN, 2);
    store.fail(_ -> false);

    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 3));
  }

  @Test
  void isNotFoundBeforeItsFilesMayChange() {
    List<Found> found = new ArrayList<>();

    assertTrue(
        paused.keep(RUN, 1, "a-1", packing(new byte[1]), () -> found.add(paused.find(RUN, 2))));

    assertEquals(List.of(new Found.Nothing()), found);
    assertInstanceOf(Found.Workspace.class, paused.find(RUN, 2));
  }

  @Test
  void isForgottenWithAllItsParts() {
    byte[] large = new byte[PausedWorkspaces.PART_BYTES + 1];
    assertTrue(paused.keep(RUN, 1, "a-1", packing(large), () -> {}));
    Found.Workspace found = workspace(2);
    paused.begin(RUN, 2);

    paused.forget(RUN, found);

    assertEquals(Set.of(PREFIX + "2.json"), store.keys());
  }

  @Test
  void isLeftToTheStoreWhereItCannotBeForgotten() {
    keep(1, "files");
    Found.Workspace found = workspace(2);
    store.fail(_ -> true);

    paused.forget(RUN, found);

    store.fail(_ -> false);
    assertEquals(Set.of(PREFIX + "1.json", PREFIX + "1/0"), store.keys());
  }

  @Test
  void isGoneWithAnyOfItsParts() {
    keep(1, "files");
    Found.Workspace found = workspace(2);
    store.delete(PREFIX + "1/0");

    assertEquals(Restored.GONE, paused.restore(RUN, found, archive -> archive.readAllBytes()));
  }

  @Test
  void isUnreachableWhileTheStoreDoesNotAnswer() {
    keep(1, "files");
    Found.Workspace found = workspace(2);
    store.fail(_ -> true);

    assertInstanceOf(Found.Unreachable.class, paused.find(RUN, 2));
    assertFalse(paused.begin(RUN, 2));
    assertFalse(paused.keep(RUN, 2, "a-2", packing(new byte[1]), () -> {}));
    assertEquals(
        Restored.UNREACHABLE, paused.restore(RUN, found, archive -> archive.readAllBytes()));
  }

  @Test
  void isNotFoundWhereItsObjectIsUnreadable() {
    store.put(PREFIX + "1.json", new byte[] {'x'});

    assertInstanceOf(Found.Unreachable.class, paused.find(RUN, 2));
  }

  @Test
  void keepsNothingThatCouldNotBePacked() {
    assertFalse(
        paused.keep(
            RUN,
            1,
            "a-1",
            _ -> {
              throw new IOException("a file is gone");
            },
            () -> {}));

    assertInstanceOf(Found.Nothing.class, paused.find(RUN, 2));
  }

  private void keep(int number, String files) {
    byte[] content = files.getBytes(StandardCharsets.UTF_8);
    assertTrue(paused.keep(RUN, number, "a-" + number, packing(content), () -> {}));
  }

  private static PausedWorkspaces.Packing packing(byte[] content) {
    return archive -> {
      archive.write(content);
      archive.close();
    };
  }

  private Found.Workspace workspace(int number) {
    return assertInstanceOf(Found.Workspace.class, paused.find(RUN, number));
  }

  private String restored(Found.Workspace found) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    assertEquals(Restored.RESTORED, paused.restore(RUN, found, archive -> archive.transferTo(all)));
    return all.toString(StandardCharsets.UTF_8);
  }

  private int bytes(String key) {
    return store.get(PREFIX + key).orElseThrow().length;
  }
}
