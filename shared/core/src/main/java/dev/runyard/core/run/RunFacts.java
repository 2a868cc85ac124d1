package dev.runyard.core.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What every state of a run knows: the request, the times, and what the agent has said and used so
/// far.
///
/// @param sequence of the newest event folded in
/// @param at the time of that event
/// @param wroteAt when the newest attempt last wrote itself, whatever clients and functions wrote
///   since; `at` in a snapshot that was made before it was kept
/// @param attempts attempts started so far
/// @param message the message being written, from `model.delta` events
/// @param lastMessage the newest whole message
/// @param interactions what passed between the run and people
public record RunFacts(
    RunKey run,
    RunRequest request,
    Instant createdAt,
    @Nullable Instant startedAt,
    long sequence,
    Instant at,
    Instant wroteAt,
    int attempts,
    Usage usage,
    @Nullable String nativeSessionId,
    Text message,
    Text lastMessage,
    @JsonProperty("journal") Interactions interactions) {

  public RunFacts {
    wroteAt = Objects.requireNonNullElse(wroteAt, at);
    interactions = Objects.requireNonNullElse(interactions, Interactions.EMPTY);
  }

  /// These facts after an event.
  ///
  /// @param own true when the attempt wrote it itself
  RunFacts at(long newSequence, Instant newAt, boolean own) {
    return new RunFacts(
        run,
        request,
        createdAt,
        startedAt,
        newSequence,
        newAt,
        own ? newAt : wroteAt,
        attempts,
        usage,
        nativeSessionId,
        message,
        lastMessage,
        interactions);
  }

  /// These facts without the parts of the request that only a runner needs.
  public RunFacts slim() {
    return new RunFacts(
        run,
        request.slim(),
        createdAt,
        startedAt,
        sequence,
        at,
        wroteAt,
        attempts,
        usage,
        nativeSessionId,
        message,
        lastMessage,
        interactions.slim());
  }

  /// These facts as a list shows them, with the beginning of the agent's last words.
  public RunFacts brief(int textBytesMax) {
    String text = finalText();
    return new RunFacts(
        run,
        request.brief(),
        createdAt,
        startedAt,
        sequence,
        at,
        wroteAt,
        attempts,
        usage,
        null,
        Text.EMPTY,
        text == null ? Text.EMPTY : Text.of(Bounds.truncate(text, textBytesMax)),
        interactions.brief());
  }

  /// These facts with what [#slim()] leaves out.
  RunFacts whole(RunRequest asked, Interactions said) {
    return new RunFacts(
        run,
        asked,
        createdAt,
        startedAt,
        sequence,
        at,
        wroteAt,
        attempts,
        usage,
        nativeSessionId,
        message,
        lastMessage,
        said);
  }

  RunFacts turn(RunEvent.TurnSubmitted turn) {
    return new RunFacts(
        run,
        request.turn(turn.prompt(), Objects.requireNonNullElse(turn.input(), List.of())),
        createdAt,
        startedAt,
        sequence,
        at,
        wroteAt,
        attempts,
        usage,
        nativeSessionId,
        message,
        lastMessage,
        interactions);
  }

  RunFacts attempt(int number, boolean continuation, Instant when) {
    return new RunFacts(
        run,
        request,
        createdAt,
        startedAt == null ? when : startedAt,
        sequence,
        at,
        wroteAt,
        number,
        usage,
        nativeSessionId,
        continuation ? message : Text.EMPTY,
        continuation ? lastMessage : Text.EMPTY,
        interactions.attempt(continuation, when));
  }

  RunFacts used(Usage more) {
    return new RunFacts(
        run,
        request,
        createdAt,
        startedAt,
        sequence,
        at,
        wroteAt,
        attempts,
        usage.plus(more),
        nativeSessionId,
        message,
        lastMessage,
        interactions);
  }

  RunFacts session(String id) {
    return new RunFacts(
        run,
        request,
        createdAt,
        startedAt,
        sequence,
        at,
        wroteAt,
        attempts,
        usage,
        id,
        message,
        lastMessage,
        interactions);
  }

  RunFacts text(Text writing, Text whole) {
    return new RunFacts(
        run,
        request,
        createdAt,
        startedAt,
        sequence,
        at,
        wroteAt,
        attempts,
        usage,
        nativeSessionId,
        writing,
        whole,
        interactions);
  }

  RunFacts interactions(Interactions next) {
    return new RunFacts(
        run,
        request,
        createdAt,
        startedAt,
        sequence,
        at,
        wroteAt,
        attempts,
        usage,
        nativeSessionId,
        message,
        lastMessage,
        next);
  }

  /// Attempts that began anew: what retry policies count.
  public int tries() {
    return attempts - interactions.continuations();
  }

  /// The agent's last words: its newest whole message, or what it was writing when it ended.
  public @Nullable String finalText() {
    Text last = lastMessage.isEmpty() ? message : lastMessage;
    return last.isEmpty() ? null : last.value();
  }

  /// When the run is over whatever happens: its run time from the first claim, and the time its
  /// runner needs to end and report it. Null while no runner has claimed it.
  public @Nullable Instant deadline() {
    return startedAt == null ? null : stopAt(startedAt).plusSeconds(Limits.STOP_SECONDS);
  }

  /// When a runner ends the agent for having run too long. Time spent waiting for people does not
  /// count.
  public Instant stopAt(Instant started) {
    int seconds = request.timeoutSeconds() == 0 ? Limits.RUN_SECONDS_MAX : request.timeoutSeconds();
    return started.plusSeconds(seconds).plusMillis(interactions.waitedMillis());
  }
}
