package dev.runyard.core.task;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a task was created with, besides the request of its runs.
///
/// @param sessionId the session it belongs to; its own id if the caller named none
/// @param threadId the thread in which its runs take turns; null for that of their session
/// @param priority larger ones are more urgent; for clients to observe
/// @param remote null while no other system works on it
/// @param named whether its runs are in that session
/// @param fingerprint SHA-256 of what the caller sent, so that the same request is recognised
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskTerms(
    String title,
    @Nullable String objective,
    @Nullable String kind,
    @Nullable String family,
    Visibility visibility,
    int priority,
    @Nullable String owner,
    @Nullable String assignee,
    @Nullable String scope,
    List<String> constraints,
    Acceptance acceptance,
    String sessionId,
    @Nullable String threadId,
    @Nullable RemoteTask remote,
    boolean named,
    String fingerprint) {
  public TaskTerms {
    Objects.requireNonNull(title);
    Objects.requireNonNull(visibility);
    Objects.requireNonNull(acceptance);
    Objects.requireNonNull(sessionId);
    Objects.requireNonNull(fingerprint);
    constraints = constraints == null ? List.of() : List.copyOf(constraints);
  }

  /// The same where others are.
  TaskTerms at(TaskTerms place) {
    return at(place.sessionId, place.threadId, named, fingerprint);
  }

  /// The same as they are stored: with a session, and with what the caller sent.
  TaskTerms of(String session, String sent) {
    boolean own = sessionId.isEmpty();
    return at(own ? session : sessionId, threadId, !own, sent);
  }

  private TaskTerms at(String session, @Nullable String thread, boolean ofSession, String sent) {
    return new TaskTerms(
        title,
        objective,
        kind,
        family,
        visibility,
        priority,
        owner,
        assignee,
        scope,
        constraints,
        acceptance,
        session,
        thread,
        remote,
        ofSession,
        sent);
  }
}
