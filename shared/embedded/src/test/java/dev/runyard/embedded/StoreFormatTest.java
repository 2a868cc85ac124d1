package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class StoreFormatTest {
  private static final RunKey RUN = SampleRun.key(1);
  private static final String STEP =
      "alter table meta add column note text;\nalter table keys add column note text;\n";
  private final StoreRig rig;

  StoreFormatTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void anOlderStoreIsUpgradedAndKeepsWhatItHas() {
    rig.store().events().append(SampleRun.output(RUN, 1, "before"));
    rig.closeStore();

    try (EmbeddedStore upgraded = open(next(STEP))) {
      assertEquals(1, upgraded.events().chunksAfter(RUN, 0).size());
      assertEquals(0L, count(upgraded, "select count(note) from keys"));
    }
    try (EmbeddedStore again = open(next(STEP))) {
      assertEquals(1, again.events().chunksAfter(RUN, 0).size());
    }
  }

  @Test
  void aNewerStoreIsRefused() {
    rig.closeStore();
    open(next(STEP)).close();
    int now = StoreFormat.CURRENT.steps().size();

    assertEquals(
        ("The store has format %d, this version of Runyard reads up to %d. Use the version that"
                + " wrote it, or a backup from before.")
            .formatted(now + 1, now),
        refusal(StoreFormat.CURRENT));
  }

  @Test
  void anUpgradeThatFailsChangesNothing() {
    rig.store().events().append(SampleRun.output(RUN, 1, "before"));
    rig.closeStore();

    String refusal = refusal(next(STEP + "no statement at all;\n"));

    assertTrue(refusal.startsWith("The store cannot be opened: the statement is wrong"), refusal);
    assertEquals(1, rig.store().events().chunksAfter(RUN, 0).size());
    assertEquals(
        0L,
        count(rig.store(), "select count(*) from pragma_table_info('meta') where name = 'note'"));
  }

  @Test
  void aDatabaseOfSomethingElseIsRefused() throws Exception {
    Files.createDirectories(rig.settings().folder());
    try (Connection other =
            ConnectionSource.SQLITE.open(StoreFolder.file(rig.settings().folder()));
        Statement statement = other.createStatement()) {
      statement.execute("create table recipes (name text)");
    }

    assertEquals("The file is no store of Runyard's.", refusal(StoreFormat.CURRENT));
  }

  private static StoreFormat next(String step) {
    List<String> steps = new ArrayList<>(StoreFormat.CURRENT.steps());
    steps.add(step);
    return new StoreFormat(steps);
  }

  private EmbeddedStore open(StoreFormat format) {
    StoreEnvironment as = rig.environment();
    return EmbeddedStore.open(
        rig.settings(),
        new StoreEnvironment(as.clock(), as.ids(), as.waits(), as.connections(), format));
  }

  private String refusal(StoreFormat format) {
    return String.valueOf(
        assertThrows(StoreRefused.class, () -> open(format).close()).getMessage());
  }

  private static long count(EmbeddedStore store, String sql) {
    return store
        .database()
        .read("count", connection -> connection.row(StoreConnection.Row.NUMBER, sql))
        .orElseThrow();
  }
}
