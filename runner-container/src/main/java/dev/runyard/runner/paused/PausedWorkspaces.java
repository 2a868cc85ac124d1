package dev.runyard.runner.paused;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// The workspaces of paused attempts, in the artifact store.
///
/// Each attempt of a run has one small object, named by its number and written by nobody else: it
/// leads to the attempt's archive, or says that the attempt has begun and left none. The newest one
/// before an attempt therefore tells whether there is a workspace to go on with: files that another
/// attempt has changed since are never given to a third. What is never asked for again goes with
/// the store's retention.
public final class PausedWorkspaces {
  /// Attempts without an object that are passed over: they were claimed and started no agent.
  static final int PASSED_MAX = 16;

  private final ArtifactStore store;
  private final JsonMapper json = JsonMapper.builder().build();

  public PausedWorkspaces(ArtifactStore store) {
    this.store = store;
  }

  /// A workspace that is kept.
  ///
  /// @param attemptId names its folder at every runner, as its files may hold the folder's path
  /// @param parts of the archive; 0 where the attempt left none
  public record Kept(
      @JsonProperty("attempt_id") String attemptId, @JsonProperty("parts") int parts) {
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

  /// What the attempt with this number goes on with.
  public Found find(RunKey run, int number) {
    try {
      for (int n = number - 1; n > 0 && n >= number - PASSED_MAX; n--) {
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

  /// What became of a workspace that was to be put into a folder.
  public enum Restored {
    RESTORED,
    /// The archive is gone or unreadable.
    GONE,
    UNREACHABLE
  }

  /// Puts the workspace into an empty folder.
  public Restored restore(RunKey run, Found.Workspace found, Path folder) {
    String prefix = archive(run, found.number());
    try {
      WorkspaceArchive.unpack(new Parts.Reader(store, prefix, found.kept().parts()), folder);
      return Restored.RESTORED;
    } catch (PortUnavailable _) {
      return Restored.UNREACHABLE;
    } catch (IOException _) {
      return Restored.GONE;
    }
  }

  /// Says that the attempt begins: whatever was kept before is old from now on. False where the
  /// store does not answer.
  public boolean begin(RunKey run, int number) {
    try {
      write(run, number, new Kept("", 0));
      return true;
    } catch (PortUnavailable _) {
      return false;
    }
  }

  /// Says that the attempt did not begin after all. Where the store does not answer, nobody goes on
  /// with what was kept before it.
  public void giveBack(RunKey run, int number) {
    try {
      store.delete(key(run, number));
    } catch (PortUnavailable _) {
      // The next attempt finds nothing and says that it was lost.
    }
  }

  /// Removes what nobody will go on with any more.
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

  /// True when the workspace is small enough, and readable.
  public boolean fits(Path folder) {
    return WorkspaceArchive.fits(folder);
  }

  /// Keeps the workspace an attempt leaves; false where that failed.
  ///
  /// @param packed done once the folder is not needed, and before anybody can find the workspace:
  ///   the next attempt may use the same path of the same machine at once
  public boolean keep(RunKey run, int number, String attemptId, Path folder, Runnable packed) {
    Parts.Writer parts = new Parts.Writer(store, archive(run, number));
    try (parts) {
      WorkspaceArchive.pack(folder, parts);
      packed.run();
      write(run, number, new Kept(attemptId, parts.parts()));
      return true;
    } catch (PortUnavailable | IOException _) {
      return false;
    }
  }

  private Optional<Kept> read(RunKey run, int number) {
    return store
        .get(key(run, number))
        .map(
            content -> {
              try {
                return json.readValue(content, Kept.class);
              } catch (IOException e) {
                throw new PortUnavailable("what is kept of a workspace is unreadable", e);
              }
            });
  }

  private void write(RunKey run, int number, Kept kept) {
    try {
      store.put(key(run, number), json.writeValueAsBytes(kept));
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
