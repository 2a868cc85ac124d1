package dev.runyard.core.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class IdsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");
  private static final String RUN_ID = "019c0000-0000-7000-8000-000000000001";
  private static final RunKey RUN = new RunKey("acme", RUN_ID);
  private final Ids ids = new RandomIds(new Random(1));

  @Test
  void aRunIdIsAUuidOfVersionSevenWithItsTime() {
    for (int i = 0; i < 100; i++) {
      Instant at = NOW.plus(Duration.ofDays(i));
      String id = ids.runId(at);

      assertTrue(RunKey.isRunId(id), id);
      assertEquals(7, UUID.fromString(id).version());
      assertEquals(2, UUID.fromString(id).variant());
      assertEquals(at, new RunKey("acme", id).madeAt());
    }
  }

  @Test
  void runIdsSortByTimeAndDifferWithinIt() {
    String first = ids.runId(NOW);
    String beside = ids.runId(NOW);
    String later = ids.runId(NOW.plusMillis(1));

    assertFalse(first.equals(beside));
    assertTrue(first.compareTo(later) < 0);
    assertTrue(beside.compareTo(later) < 0);
  }

  /// The random part fills all bits that are left to it.
  @Test
  void runIdsOfOneMillisecondDifferInEveryRandomDigit() {
    for (int digit : new int[] {15, 16, 17, 20, 21, 22, 24, 29, 35}) {
      String first = ids.runId(NOW);
      boolean differs = false;
      for (int i = 0; i < 100 && !differs; i++) {
        differs = ids.runId(NOW).charAt(digit) != first.charAt(digit);
      }
      assertTrue(differs, "digit " + digit);
    }
  }

  @Test
  void aTokenIsShortAndSafeInAnAddress() {
    String token = ids.token();

    assertTrue(token.matches("[A-Za-z0-9_-]{16}"), token);
    assertFalse(token.equals(ids.token()));
  }

  @Test
  void aRunHasItsPartition() {
    assertEquals("acme#run#" + RUN_ID, RUN.partition());
    assertEquals(RUN, RunKey.ofPartition(RUN.partition()));
    assertEquals(new StreamKind("run"), RUN.kind());
    assertEquals(RUN_ID, RUN.id());
  }

  @Test
  void aRunIsKnownByAnyKeyOfItsPartition() {
    StreamKey same =
        new StreamKey() {
          @Override
          public String tenant() {
            return "acme";
          }

          @Override
          public StreamKind kind() {
            return RunKey.KIND;
          }

          @Override
          public String id() {
            return RUN_ID;
          }
        };

    assertEquals(RUN, RunKey.of(same));
    assertEquals(RUN, RunKey.of(RUN));
  }

  @Test
  void refusesWhatIsNoRun() {
    for (String partition :
        List.of("", "acme", "acme#counter#" + RUN_ID, "#run#" + RUN_ID, "acme#run#1", "#run#")) {
      assertThrows(IllegalArgumentException.class, () -> RunKey.ofPartition(partition), partition);
    }
    assertThrows(IllegalArgumentException.class, () -> new RunKey("Acme", RUN_ID));
    assertThrows(IllegalArgumentException.class, () -> new RunKey("a".repeat(64), RUN_ID));
    assertThrows(
        IllegalArgumentException.class, () -> new RunKey("acme", RUN_ID.replace('c', 'C')));
  }

  @Test
  void aPartitionHasItsKind() {
    assertEquals(RunKey.KIND, StreamKind.ofPartition(RUN.partition()));
    assertEquals(new StreamKind("counter"), StreamKind.ofPartition("acme#counter#1"));
    for (String partition : List.of("", "acme", "acme#run", "acme##1", "acme#Run#1")) {
      assertThrows(
          IllegalArgumentException.class, () -> StreamKind.ofPartition(partition), partition);
    }
  }

  @Test
  void anActionIdNamesItsRun() {
    assertEquals(RUN_ID + ".12", ActionId.of(RUN, 12));
    assertEquals(Optional.of(RUN_ID), ActionId.runId(ActionId.of(RUN, 12)));
    String uuid4 = RUN_ID.replace("-7", "-4");
    for (String text : List.of("", RUN_ID, RUN_ID + ".0", RUN_ID + ".x", uuid4 + ".1")) {
      assertEquals(Optional.empty(), ActionId.runId(text), text);
    }
  }

  @Test
  void aDigestIsSha256OfItsPartsInOrder() {
    assertEquals(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", Digest.hex("abc"));
    byte[] parts = Digest.of(new byte[] {'a'}, new byte[] {'b', 'c'});
    assertEquals(32, parts.length);
    assertEquals((byte) 0xba, parts[0]);
    assertEquals((byte) 0xad, parts[31]);
  }
}
