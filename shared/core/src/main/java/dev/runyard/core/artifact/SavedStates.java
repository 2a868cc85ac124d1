package dev.runyard.core.artifact;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The small objects that lead to session files: one named by the session of the runs, one by the
/// agent's own session id.
public final class SavedStates {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final ArtifactStore store;

  public SavedStates(ArtifactStore store) {
    this.store = store;
  }

  /// A state, as it was read.
  public record Pointer(Optional<SavedState> state, Optional<String> version) {
    static final Pointer NONE = new Pointer(Optional.empty(), Optional.empty());
  }

  /// What agents of a kind have left in a thread and is kept, the newest first.
  ///
  /// @param sessionId what the memory of the thread is kept under
  public List<SavedState> line(String tenant, String kind, String sessionId) {
    return read(bySession(tenant, kind, sessionId)).state().map(SavedState::line).orElse(List.of());
  }

  Pointer read(String key) {
    return store
        .find(key)
        .map(
            found ->
                new Pointer(Optional.of(parsed(found.content())), Optional.of(found.version())))
        .orElse(Pointer.NONE);
  }

  boolean replace(String key, Optional<String> version, SavedState state) {
    try {
      return store.replace(key, version, JSON.writeValueAsBytes(state));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static SavedState parsed(byte[] content) {
    try {
      return JSON.readValue(content, SavedState.class);
    } catch (IOException e) {
      throw new PortUnavailable("a session's state is unreadable", e);
    }
  }

  static String bySession(SessionSnapshots.Place place) {
    return bySession(place.run().tenant(), place.kind(), place.sessionId());
  }

  private static String bySession(String tenant, String kind, String sessionId) {
    return "%s/session/%s.json".formatted(prefix(tenant, kind), sessionId);
  }

  /// An agent's id may be long and contain any character.
  static String byNative(SessionSnapshots.Place place, String nativeSession) {
    return "%s/native/%s.json"
        .formatted(prefix(place.run().tenant(), place.kind()), Digest.hex(nativeSession));
  }

  static String archive(SessionSnapshots.Place place) {
    return "%s/archive/%s.zip"
        .formatted(prefix(place.run().tenant(), place.kind()), place.attemptId());
  }

  private static String prefix(String tenant, String kind) {
    return tenant + "/sessions/" + kind;
  }
}
