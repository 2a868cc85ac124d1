package dev.runyard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.ChainCheck;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.stream.ChunkHash;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A store whose file was changed by somebody else, and one of an earlier version.
@ExtendWith(StoreRig.Given.class)
final class TamperedLogTest {
  private static final RunKey RUN = SampleRun.key(1);
  private final StoreRig rig;

  TamperedLogTest(StoreRig rig) {
    this.rig = rig;
  }

  @Test
  void anUntouchedLogIsIntact() {
    write();
    rig.closeStore();
    ChainCheck check = check();
    assertEquals(Optional.empty(), check.broken());
    assertEquals(3, check.chunks());
    assertEquals(0, check.unlinked());
  }

  @Test
  void aChunkThatWasReplacedIsNoticed() throws Exception {
    write();
    change("update chunks set body = ? where first = 2", SampleRun.output(RUN, 2, "no"));
    assertEquals(
        Optional.of(new ChainCheck.Break(3, ChainCheck.Cause.OTHER_BEFORE)), check().broken());
  }

  @Test
  void theLastChunkIsHeldByTheHashThatAReadModelKept() throws Exception {
    ChunkHash kept = write();
    change("update chunks set body = ? where first = 3", SampleRun.output(RUN, 3, "no"));
    ChainCheck check = check();
    check.compare(3, kept);
    assertEquals(
        Optional.of(new ChainCheck.Break(3, ChainCheck.Cause.OTHER_THAN_READ)), check.broken());
  }

  @Test
  void aChunkThatWasRemovedIsNoticed() throws Exception {
    write();
    change("delete from chunks where body <> ? and first = 2", SampleRun.output(RUN, 9, "none"));
    assertEquals(Optional.of(new ChainCheck.Break(3, ChainCheck.Cause.GAP)), check().broken());
  }

  @Test
  void aStoreOfTheFirstFormatIsReadAndContinued() throws Exception {
    StoreEnvironment as = rig.environment();
    StoreFormat first = new StoreFormat(List.of(StoreFormat.CURRENT.steps().getFirst()));
    EmbeddedStore.open(
            rig.settings(),
            new StoreEnvironment(as.clock(), as.ids(), as.waits(), as.connections(), first))
        .close();
    Chunk old = SampleRun.output(RUN, 1, "old");
    change(
        "insert into chunks (partition, first, last, id, writer, closed, at, expires, body)"
            + " values ('"
            + RUN.partition()
            + "', 1, 1, '"
            + old.id()
            + "', 'test', 0, 0, 9000000000000, ?)",
        old);

    assertEquals(List.of(old), rig.store().events().chunksAfter(RUN, 0));
    assertEquals(Optional.empty(), check().broken());
    rig.store().events().append(linked(SampleRun.output(RUN, 2, "new"), old));
    assertEquals(Optional.empty(), check().broken());
    assertEquals(0, check().unlinked());
  }

  /// Three chunks; the hash of the last.
  private ChunkHash write() {
    Chunk before = SampleRun.output(RUN, 1, "one");
    rig.store().events().append(before);
    for (int at = 2; at <= 3; at++) {
      Chunk next = linked(SampleRun.output(RUN, at, "text " + at), before);
      rig.store().events().append(next);
      before = next;
    }
    return before.hash();
  }

  private static Chunk linked(Chunk chunk, Chunk before) {
    return new Chunk(
        chunk.key(),
        chunk.id(),
        chunk.writer(),
        chunk.body(),
        chunk.state(),
        chunk.closed(),
        Optional.of(before.hash()));
  }

  /// What somebody does who can write the file.
  private void change(String sql, Chunk chunk) throws SQLException {
    rig.closeStore();
    try (Connection file = ConnectionSource.SQLITE.open(StoreFolder.file(rig.settings().folder()));
        PreparedStatement statement = file.prepareStatement(sql)) {
      statement.setBytes(1, chunk.body().bytes());
      assertEquals(1, statement.executeUpdate());
    }
  }

  private ChainCheck check() {
    ChainCheck check = new ChainCheck();
    rig.store().events().chunksAfter(RUN, 0).stream()
        .map(ChainCheck.Link::of)
        .forEach(check::follow);
    return check;
  }
}
