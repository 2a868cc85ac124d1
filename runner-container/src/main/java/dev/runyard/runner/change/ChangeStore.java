package dev.runyard.runner.change;

import dev.runyard.core.artifact.KeptLedger;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.runner.log.RunnerLog;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/// Where files of the runner's own are stored as parts of a change. Large ones are never whole in
/// memory.
///
/// @param ledger counts artifacts and archives for the tenant
public record ChangeStore(
    KeptChanges changes, LargeObjects large, KeptLedger ledger, RunnerLog log) {
  private static final int BLOCK_BYTES = 64 * 1024;

  /// As what clients get an object.
  record As(String name, String contentType) {}

  /// Whether the tenant's runs may leave more. They may while nobody can tell.
  boolean hasRoom(WorkspaceKeeping.Of of) {
    try {
      return ledger.hasRoom(of.run().tenant());
    } catch (PortUnavailable e) {
      log.failed("kept_not_known", e);
      return true;
    }
  }

  /// Counts what was stored, if that can be done: it is stored all the same.
  void count(WorkspaceKeeping.Of of, List<KeptObject> stored) {
    try {
      ledger.add(of.run().tenant(), stored.stream().mapToLong(KeptObject::bytes).sum());
    } catch (PortUnavailable e) {
      log.failed("kept_not_counted", e);
    }
  }

  /// Takes back what was counted and is removed: it is removed all the same.
  void giveBack(WorkspaceKeeping.Of of, List<KeptObject> removed) {
    try {
      ledger.giveBack(of.run().tenant(), removed.stream().mapToLong(KeptObject::bytes).sum());
    } catch (PortUnavailable e) {
      log.failed("kept_not_counted", e);
    }
  }

  /// Stores a file.
  ///
  /// @param deadline after which no more of a large one is read
  /// @throws IOException if it cannot be read, or not in time
  KeptObject put(WorkspaceKeeping.Of of, String object, As as, Path file, Deadline deadline)
      throws IOException {
    long bytes = Files.size(file);
    String sha256;
    if (bytes > ChangeBounds.SENT_BYTES_MAX) {
      sha256 = sha256(file);
      KeptChanges.put(
          large, of.run(), of.attemptId(), object, new FileContent(file, bytes, sha256, deadline));
    } else {
      byte[] content = Files.readAllBytes(file);
      sha256 = HexFormat.of().formatHex(Digest.of(content));
      changes.put(of.run(), of.attemptId(), object, content);
    }
    return new KeptObject(object, as.name(), bytes, sha256, as.contentType());
  }

  private static String sha256(Path file) throws IOException {
    MessageDigest digest = Digest.begun();
    byte[] block = new byte[BLOCK_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(block); read >= 0; read = in.read(block)) {
        digest.update(block, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private record FileContent(Path file, long bytes, String sha256, Deadline deadline)
      implements LargeObjects.Content {
    @Override
    public InputStream open() throws IOException {
      return new InTime(Files.newInputStream(file), deadline);
    }
  }

  /// Ends with the time, so that a store that takes it slowly is not waited for.
  private static final class InTime extends FilterInputStream {
    private final Deadline deadline;

    InTime(InputStream in, Deadline deadline) {
      super(in);
      this.deadline = deadline;
    }

    @Override
    public int read() throws IOException {
      check();
      return super.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      check();
      return super.read(into, offset, length);
    }

    private void check() throws IOException {
      if (deadline.isOver()) {
        throw new IOException("storing it took too long");
      }
    }
  }
}
