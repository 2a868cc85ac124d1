package dev.runyard.core.change;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/// The changes of runs, in the artifact store.
///
/// An attempt's objects are below a prefix of its own. A list of them, one for each run, is written
/// after they are there; an attempt never replaces the list of a later one. No name in a workspace
/// is part of a key.
public final class KeptChanges {
  private static final int TRIES_MAX = 3;
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final ArtifactStore store;
  private final ArtifactStore outcomes;

  public KeptChanges(ArtifactStore store) {
    this(store, store);
  }

  /// @param outcomes the same store, for what became of publishing a change: whoever waits for the
  ///   change itself does not wait to tell that
  public KeptChanges(ArtifactStore store, ArtifactStore outcomes) {
    this.store = store;
    this.outcomes = outcomes;
  }

  /// Stores an object, which nobody finds until a list names it.
  public void put(RunKey run, String attemptId, String object, byte[] content) {
    store.put(key(run, attemptId, object), content);
  }

  /// Stores a large object in the same way.
  public static void put(
      LargeObjects large, RunKey run, String attemptId, String object, LargeObjects.Content content)
      throws IOException {
    large.put(key(run, attemptId, object), content);
  }

  /// Removes an object of an attempt that has lost its run.
  public void forget(RunKey run, String attemptId, String object) {
    store.delete(key(run, attemptId, object));
  }

  /// The list as it is stored.
  public static byte[] bytes(KeptChange change) {
    try {
      return JSON.writeValueAsBytes(change);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Makes an attempt's change the run's. False if a later attempt has left one.
  public boolean name(RunKey run, KeptChange change) {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      Optional<ArtifactStore.Versioned> there = store.find(list(run));
      if (there.isPresent() && read(there.get().content()).attempt() > change.attempt()) {
        return false;
      }
      if (store.replace(list(run), there.map(ArtifactStore.Versioned::version), bytes(change))) {
        return true;
      }
    }
    throw new PortUnavailable("others write what the run changed");
  }

  /// What the run's last attempt with a workspace left.
  public Optional<KeptChange> find(RunKey run) {
    return store.get(list(run)).map(KeptChanges::read);
  }

  /// The content of an object that a list names; empty if it was removed.
  public Optional<byte[]> content(RunKey run, KeptChange change, KeptObject object) {
    return store.get(key(run, change.attemptId(), object.object()));
  }

  /// Whether an object that a list names is still there.
  public static boolean holds(
      LargeObjects large, RunKey run, KeptChange change, KeptObject object) {
    return large.holds(key(run, change.attemptId(), object.object()));
  }

  /// Where a client gets the content of an object that a list names.
  public static String address(
      LargeObjects large, RunKey run, KeptChange change, KeptObject object, Instant until) {
    return large.address(
        key(run, change.attemptId(), object.object()),
        new LargeObjects.Label(object.name(), object.contentType()),
        until);
  }

  /// Stores the patches of a run's change, and the list of it, once more, so that the store keeps
  /// them as long as what is new.
  public void refresh(RunKey run) {
    Optional<ArtifactStore.Versioned> there = store.find(list(run));
    if (there.isEmpty()) {
      return;
    }
    KeptChange change = read(there.get().content());
    store.replace(list(run), Optional.of(there.get().version()), there.get().content());
    for (KeptObject patch : change.patches()) {
      content(run, change, patch)
          .ifPresent(content -> put(run, change.attemptId(), patch.object(), content));
    }
  }

  /// Stores what became of publishing the run's change.
  public void published(RunKey run, Publication publication) {
    try {
      outcomes.put(publication(run), JSON.writeValueAsBytes(publication));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What became of the last try to publish it; empty if there was none.
  public Optional<Publication> findPublication(RunKey run) {
    return store.get(publication(run)).map(KeptChanges::readPublication);
  }

  private static Publication readPublication(byte[] content) {
    try {
      return JSON.readValue(content, Publication.class);
    } catch (IOException e) {
      throw new PortUnavailable("what became of publishing the run is unreadable", e);
    }
  }

  private static KeptChange read(byte[] content) {
    try {
      return JSON.readValue(content, KeptChange.class);
    } catch (IOException e) {
      throw new PortUnavailable("the list of what the run changed is unreadable", e);
    }
  }

  private static String list(RunKey run) {
    return "%s/runs/%s/changes/list.json".formatted(run.tenant(), run.runId());
  }

  private static String publication(RunKey run) {
    return "%s/runs/%s/changes/publication.json".formatted(run.tenant(), run.runId());
  }

  private static String key(RunKey run, String attemptId, String object) {
    return "%s/runs/%s/changes/%s/%s".formatted(run.tenant(), run.runId(), attemptId, object);
  }
}
