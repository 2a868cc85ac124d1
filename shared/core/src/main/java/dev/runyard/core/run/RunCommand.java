package dev.runyard.core.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.Requester;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RunRequest;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A command to a run. [RunDecider] answers with events, or with the reason for refusing.
public sealed interface RunCommand {

  /// The API accepts a request.
  ///
  /// @param by who made it
  record Submit(RunRequest request, @Nullable Requester by) implements RunCommand {
    public Submit(RunRequest request, String actor) {
      this(request, Requester.of(actor));
    }

    /// A request that nobody in particular made.
    public Submit(RunRequest request) {
      this(request, (Requester) null);
    }
  }

  /// A runner took the run's message `ticket` from the queue and wants to execute the run.
  ///
  /// @param beat if the message is a copy: when the run's open attempt had last written, as seen
  ///   [Limits#ALIVE_SECONDS] ago
  record Claim(String attemptId, String runner, String ticket, OptionalLong beat, Instant now)
      implements RunCommand {
    public Claim(String attemptId, String runner, String ticket, Instant now) {
      this(attemptId, runner, ticket, OptionalLong.empty(), now);
    }
  }

  /// A runner reports what its attempt did, in order.
  ///
  /// @param times when each of it happened; none if it happens by being written
  record Report(String attemptId, List<RunEvent> events, List<Instant> times)
      implements RunCommand {
    public Report(String attemptId, List<RunEvent> events) {
      this(attemptId, events, List.of());
    }

    public Report {
      events = List.copyOf(events);
      times = List.copyOf(times);
      if (!times.isEmpty() && times.size() != events.size()) {
        throw new IllegalArgumentException("each event has its time");
      }
    }
  }

  /// A person decides an action, or its time is over. The first decision counts.
  record Resolve(
      String actionId,
      ActionDecision decision,
      @Nullable JsonNode payload,
      Requester by,
      Instant now)
      implements RunCommand {
    public Resolve(
        String actionId,
        ActionDecision decision,
        @Nullable JsonNode payload,
        String actor,
        Instant now) {
      this(actionId, decision, payload, Requester.of(actor), now);
    }
  }

  /// A client sends the agent a message. The same id with the same content is the same message.
  ///
  /// @param by who sent it
  record Message(String messageId, String content, @Nullable String from, @Nullable Requester by)
      implements RunCommand {
    /// A message that nobody in particular sent.
    public Message(String messageId, String content, @Nullable String from) {
      this(messageId, content, from, null);
    }
  }

  /// A client wants the run to end.
  ///
  /// @param by who that is
  /// @param unstarted whether it is only to end if no runner has had it
  record Cancel(String reason, @Nullable Requester by, boolean unstarted) implements RunCommand {
    public Cancel(String reason, @Nullable Requester by) {
      this(reason, by, false);
    }

    /// Nobody in particular wants it.
    public Cancel(String reason) {
      this(reason, null);
    }
  }

  /// Somebody wants the run to give its place up until it may go on.
  ///
  /// @param by who that is
  record PutAside(String reason, @Nullable Requester by) implements RunCommand {}

  /// A run that was put aside may go on.
  ///
  /// @param by who says so
  record GoOn(@Nullable Requester by) implements RunCommand {}

  /// `advance` or `sweep` checks whether the run can be advanced.
  record Advance(Instant now) implements RunCommand {}

  /// The run's message reached the dead-letter queue: it was received several times and never
  /// deleted.
  record Undelivered(Instant now) implements RunCommand {}

  /// The run waits for another of its session or is held for its tenant; if `behind` is null, its
  /// turn has come and it has a place.
  record Turn(@Nullable String behind) implements RunCommand {}

  /// Runners do not start, and the run may wait for one.
  ///
  /// @param cause why, one word
  /// @param since when the first of these starts failed
  /// @param noRunner whether no runner exists that could take the run
  /// @param brokenSince since when each of them failed for a cause that only the operator can
  ///   remove; null where the newest did not, or is the first that did
  record Block(
      String cause,
      Failure failure,
      Instant since,
      boolean noRunner,
      @Nullable Instant brokenSince,
      Instant now)
      implements RunCommand {
    public Block(String cause, Failure failure, Instant since, boolean noRunner, Instant now) {
      this(cause, failure, since, noRunner, null, now);
    }

    /// How long the run waits for that to change.
    public int secondsMax() {
      return brokenSince == null ? Limits.BLOCKED_SECONDS_MAX : Limits.BROKEN_SECONDS_MAX;
    }
  }
}
