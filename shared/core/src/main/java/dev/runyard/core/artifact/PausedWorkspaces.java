package dev.runyard.core.artifact;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.IntSupplier;

/// The workspaces of paused attempts, in the artifact store.
///
/// Each attempt of a run has one small object, named by its number and written only by that
/// attempt: it names the attempt's archive, or says that the attempt has begun and left none. So
/// the newest one before an attempt shows whether there is a workspace to continue with: files that
/// another attempt has changed since are never given to a third. What is never used again is
/// removed by the store's retention.
public final class PausedWorkspaces {
  /// Size of the largest object, which is in memory while an archive is written or read.
  public static final int PART_BYTES = Parts.PART_BYTES;

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final ArtifactStore store;

  public PausedWorkspaces(ArtifactStore store) {
    this.store = store;
  }

  /// Writes the archive of a workspace, and closes it.
  @FunctionalInterface
  public interface Packing {
    void pack(OutputStream archive) throws IOException;
  }

  /// Reads an archive into a workspace.
  @FunctionalInterface
  public interface Unpacking {
    /// Reads all of it.
    ///
    /// @throws IOException if it is not an archive
    void unpack(InputStream archive) throws IOException;
  }

  /// A stored workspace.
  ///
  /// @param attemptId names its folder on every runner, because its files may contain the folder's
  ///   path
  /// @param parts of the archive; 0 if the attempt left none
  /// @param changed files that are not in it as they were; not written if there are none
  public record Kept(
      @JsonProperty("attempt_id") String attemptId,
      @JsonProperty("parts") int parts,
      @JsonProperty("changed") @JsonInclude(JsonInclude.Include.NON_DEFAULT) int changed) {
    /// A workspace that is stored as it was.
    public Kept(String attemptId, int parts) {
      this(attemptId, parts, 0);
    }

    boolean none() {
      return parts == 0;
    }
  }

  /// The newest workspace of an earlier attempt.
  public sealed interface Found {
    /// There is one.
    ///
    /// @param number of the attempt that left it
    record Workspace(int number, Kept kept) implements Found {}

    record Nothing() implements Found {}

    record Unreachable() implements Found {}
  }

  /// What the attempt with this number continues with. Attempts without an object are passed over:
  /// they were claimed and started no agent. There may be as many as runners may give back, and a
  /// look at each costs a call only where there are.
  public Found find(RunKey run, int number) {
    try {
      for (int n = number - 1; n > 0 && n >= number - Limits.ATTEMPTS_HANDED_BACK_MAX; n--) {
        Optional<Kept> kept = read(run, n);
        if (kept.isPresent()) {
          return kept.get().none() ? new Found.Nothing() : new Found.Workspace(n, kept.get());
        }
      }
      return new Found.Nothing();
    } catch (PortUnavailable _) {
      return new Found.Unreachable();
    }
  }

  /// The result of restoring a workspace.
  public enum Restored {
    RESTORED,
    /// The archive is gone or unreadable.
    GONE,
    UNREACHABLE
  }

  /// Restores the workspace.
  public Restored restore(RunKey run, Found.Workspace found, Unpacking into) {
    String prefix = archive(run, found.number());
    try {
      into.unpack(new Parts.Reader(store, prefix, found.kept().parts()));
      return Restored.RESTORED;
    } catch (PortUnavailable _) {
      return Restored.UNREACHABLE;
    } catch (IOException _) {
      return Restored.GONE;
    }
  }

  /// Records that the attempt begins: whatever was stored before is outdated from now on. False if
  /// the store does not answer.
  public boolean begin(RunKey run, int number) {
    try {
      write(run, number, new Kept("", 0));
      return true;
    } catch (PortUnavailable _) {
      return false;
    }
  }

  /// Records that the attempt did not begin after all. If the store does not answer, no attempt
  /// continues with what was stored before.
  public void giveBack(RunKey run, int number) {
    try {
      store.delete(key(run, number));
    } catch (PortUnavailable _) {
      // The next attempt finds nothing and reports it as lost.
    }
  }

  /// Removes what no attempt will continue with any more.
  public void forget(RunKey run, Found.Workspace old) {
    try {
      for (int part = 0; part < old.kept().parts(); part++) {
        store.delete(Parts.key(archive(run, old.number()), part));
      }
      store.delete(key(run, old.number()));
    } catch (PortUnavailable _) {
      // The store's retention removes it.
    }
  }

  /// Stores the workspace that an attempt leaves; false if that failed.
  ///
  /// @param packed called once the files are not needed, and before anybody can find the workspace,
  ///   because the next attempt may use the same path of the same machine at once
  /// @param changed how many files the archive does not have as they were, asked for at its end
  public boolean keep(
      RunKey run,
      int number,
      String attemptId,
      Packing files,
      Runnable packed,
      IntSupplier changed) {
    Parts.Writer parts = new Parts.Writer(store, archive(run, number));
    try (parts) {
      files.pack(parts);
      packed.run();
      write(run, number, new Kept(attemptId, parts.parts(), changed.getAsInt()));
      return true;
    } catch (PortUnavailable | IOException _) {
      return false;
    }
  }

  /// Stores a workspace as it is.
  public boolean keep(RunKey run, int number, String attemptId, Packing files, Runnable packed) {
    return keep(run, number, attemptId, files, packed, () -> 0);
  }

  private Optional<Kept> read(RunKey run, int number) {
    return store
        .get(key(run, number))
        .map(
            content -> {
              try {
                return JSON.readValue(content, Kept.class);
              } catch (IOException e) {
                throw new PortUnavailable("what is kept of a workspace is unreadable", e);
              }
            });
  }

  private void write(RunKey run, int number, Kept kept) {
    try {
      store.put(key(run, number), JSON.writeValueAsBytes(kept));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String key(RunKey run, int number) {
    return archive(run, number) + ".json";
  }

  private static String archive(RunKey run, int number) {
    return run.tenant() + "/workspaces/" + run.runId() + "/" + number;
  }
}
