package dev.runyard.core.artifact;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// What runs leave of their workspaces, in the artifact store.
///
/// The files of all runs of a session lie together, so that a run sends only what its session does
/// not have. Two small objects lead to them, one named by the run and one by the session. They are
/// written after the files and before the attempt's end is in the log, so whoever sees that a run
/// has ended finds its files, and a run that was lost leaves what was there before it. Objects that
/// nothing leads to any more are removed by the store's retention.
public final class LeftWorkspaces {
  /// Most tries to write a run's object that others write at the same time.
  private static final int TRIES_MAX = 3;

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final ArtifactStore store;

  public LeftWorkspaces(ArtifactStore store) {
    this.store = store;
  }

  /// A part of what is kept.
  public enum Part {
    FILES,
    /// The runner's own git directory.
    REPOSITORY
  }

  /// What a session has, as it was read.
  ///
  /// @param left empty if no run has left anything
  public record Last(Optional<LeftWorkspace> left, Optional<String> version) {
    /// What a run begins with: an attempt that begins again begins where the first one did.
    public Optional<LeftWorkspace> before(RunKey run) {
      return left.flatMap(
          newest ->
              newest.runId().equals(run.runId())
                  ? Optional.ofNullable(newest.before())
                  : Optional.of(newest.after(null)));
    }
  }

  /// What the session's last run left.
  public Last last(String tenant, String sessionId) {
    return store
        .find(sessionKey(tenant, sessionId))
        .map(found -> new Last(Optional.of(read(found.content())), Optional.of(found.version())))
        .orElseGet(() -> new Last(Optional.empty(), Optional.empty()));
  }

  /// What a run left.
  public Optional<LeftWorkspace> of(RunKey run) {
    return store.get(runKey(run)).map(LeftWorkspaces::read).map(left -> left.after(null));
  }

  /// What the session had when a run left its own.
  public Optional<LeftWorkspace> before(RunKey run) {
    return store
        .get(runKey(run))
        .map(LeftWorkspaces::read)
        .flatMap(left -> Optional.ofNullable(left.before()));
  }

  /// Where the contents of a session's files lie.
  public static String packs(String tenant, String sessionId) {
    return session(tenant, sessionId) + "/packs";
  }

  /// The list of what an attempt left; empty if it was removed.
  public Optional<byte[]> list(String tenant, LeftWorkspace left, Part part) {
    return store.get(listKey(tenant, left, part));
  }

  /// Stores a list, which nobody finds before [#settle].
  public void put(String tenant, LeftWorkspace left, Part part, byte[] list) {
    store.put(listKey(tenant, left, part), list);
  }

  /// Makes what an attempt left the run's and the session's. False if others have done so since.
  ///
  /// @param last what the session had when this attempt began to store its files
  public boolean settle(RunKey run, LeftWorkspace left, Last last) {
    LeftWorkspace next = left.after(last.before(run).orElse(null));
    return name(run, next)
        && store.replace(sessionKey(run.tenant(), left.sessionId()), last.version(), bytes(next));
  }

  /// Stores what leads to files once more, so that the store keeps it as long as what is new.
  public void refresh(String tenant, LeftWorkspace left) {
    for (String key :
        List.of(sessionKey(tenant, left.sessionId()), runKey(new RunKey(tenant, left.runId())))) {
      store
          .find(key)
          .ifPresent(there -> store.replace(key, Optional.of(there.version()), there.content()));
    }
    for (Part part : Part.values()) {
      list(tenant, left, part).ifPresent(list -> put(tenant, left, part, list));
    }
  }

  /// Removes the lists of an attempt that has lost its run.
  public void forget(String tenant, LeftWorkspace left) {
    for (Part part : Part.values()) {
      store.delete(listKey(tenant, left, part));
    }
  }

  private boolean name(RunKey run, LeftWorkspace left) {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      Optional<ArtifactStore.Versioned> there = store.find(runKey(run));
      if (there.isPresent() && read(there.get().content()).attempt() > left.attempt()) {
        return false;
      }
      if (store.replace(runKey(run), there.map(ArtifactStore.Versioned::version), bytes(left))) {
        return true;
      }
    }
    throw new PortUnavailable("others write what the run left");
  }

  private static LeftWorkspace read(byte[] content) {
    try {
      return JSON.readValue(content, LeftWorkspace.class);
    } catch (IOException e) {
      throw new PortUnavailable("what is kept of a workspace is unreadable", e);
    }
  }

  private static byte[] bytes(LeftWorkspace left) {
    try {
      return JSON.writeValueAsBytes(left);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String session(String tenant, String sessionId) {
    return tenant + "/workspaces/sessions/" + sessionId;
  }

  private static String sessionKey(String tenant, String sessionId) {
    return session(tenant, sessionId) + "/last.json";
  }

  private static String runKey(RunKey run) {
    return "%s/workspaces/%s/left.json".formatted(run.tenant(), run.runId());
  }

  private static String listKey(String tenant, LeftWorkspace left, Part part) {
    String name =
        switch (part) {
          case FILES -> "files";
          case REPOSITORY -> "repository";
        };
    return "%s/lists/%s/%s/%s"
        .formatted(session(tenant, left.sessionId()), left.runId(), left.attemptId(), name);
  }
}
