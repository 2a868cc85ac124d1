package dev.runyard.core.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.message.Message;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.stream.Chain;
import dev.runyard.core.usage.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What every state of a run contains: the request, the times, and the agent's text and usage so
/// far.
///
/// @param sequence of the newest event folded in
/// @param at the time of that event
/// @param wroteAt when the newest attempt last wrote itself, whatever clients and functions wrote
///   since; equals `at` in older snapshots
/// @param attempts attempts started so far
/// @param message the message being written, from `model.delta` events
/// @param lastMessage the newest whole message
/// @param interactions what passed between the run and people
/// @param chain as [dev.runyard.core.stream.StreamState#chain] has it
/// @param form the [RunForm] that executing the run takes; null for the first
/// @param aside null if nobody ever wanted it to give its place up
/// @param lifeSeconds as `task.created` has it; null for ever
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
    @JsonProperty("journal") Interactions interactions,
    @Nullable Chain chain,
    @Nullable Integer form,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Aside aside,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer lifeSeconds) {

  public RunFacts {
    wroteAt = Objects.requireNonNullElse(wroteAt, at);
    interactions = Objects.requireNonNullElse(interactions, Interactions.EMPTY);
  }

  /// These facts with what every event changes: each event of a log passes here.
  RunFacts after(StoredEvent stored) {
    return new RunFacts(
        run,
        request,
        createdAt,
        startedAt,
        stored.sequence(),
        stored.timestamp(),
        stored.event() instanceof RunEvent.SignOfLife ? stored.timestamp() : wroteAt,
        attempts,
        usage,
        nativeSessionId,
        message,
        lastMessage,
        stored.event() instanceof RunEvent.Output output && output.ofAgent()
            ? interactions.told()
            : interactions,
        null,
        form,
        aside,
        lifeSeconds);
  }

  /// These facts at the end of a chunk.
  RunFacts chained(@Nullable Chain followed) {
    return with(next -> next.chain = followed);
  }

  /// These facts without the parts of the request that only a runner needs.
  public RunFacts slim() {
    return whole(request.slim(), interactions.slim());
  }

  /// These facts as a list shows them, with the beginning of the agent's last message.
  public RunFacts brief(int textBytesMax) {
    String text = finalText();
    return with(
        next -> {
          next.request = request.brief();
          next.nativeSessionId = null;
          next.message = Text.EMPTY;
          next.lastMessage =
              text == null ? Text.EMPTY : Text.of(Bounds.truncate(text, textBytesMax));
          next.interactions = interactions.brief();
          next.chain = null;
        });
  }

  /// These facts with what [#slim()] leaves out.
  RunFacts whole(RunRequest asked, Interactions said) {
    return with(
        next -> {
          next.request = asked.at(request.commit());
          next.interactions = said;
        });
  }

  RunFacts turn(RunEvent.TurnSubmitted turn) {
    List<Message> input = Objects.requireNonNullElse(turn.input(), List.of());
    return with(next -> next.request = request.turn(turn.prompt(), input));
  }

  /// @param last the attempt before, if there was one
  RunFacts attempt(int number, boolean continuation, Instant when, @Nullable Attempt last) {
    return with(
        next -> {
          next.startedAt = startedAt == null ? when : startedAt;
          next.attempts = number;
          next.message = continuation ? message : Text.EMPTY;
          next.lastMessage = continuation ? lastMessage : Text.EMPTY;
          next.interactions = interactions.attempt(continuation, when, waitsSince(last));
        });
  }

  /// The same run before any agent was started: its time has not begun.
  RunFacts notBegun() {
    return with(next -> next.startedAt = null);
  }

  /// True while somebody wants the run to give its place up, and when it has done so.
  public boolean putAside() {
    return aside != null && aside.wanted();
  }

  /// Somebody wants that, or does not any more; the time since it gave its place up is none of its
  /// run time.
  RunFacts putAside(@Nullable String reason, Instant now) {
    Aside was = aside == null ? Aside.NEVER : aside;
    return reason == null
        ? with(
            next -> {
              next.aside = was.over(now);
              next.interactions =
                  startedAt == null ? interactions : interactions.rested(was.since(), now);
            })
        : with(next -> next.aside = was.wanted(reason));
  }

  /// Nothing of the run is running from now on.
  RunFacts resting(Instant now) {
    return aside == null ? this : with(next -> next.aside = aside.resting(now));
  }

  /// The same before the attempt that is to follow: nothing of a run that waits to be continued has
  /// been running since it waits.
  RunFacts resting(Instant now, Attempt last) {
    return resting(last.continues() ? Objects.requireNonNullElse(waitsSince(last), now) : now);
  }

  private @Nullable Instant waitsSince(@Nullable Attempt last) {
    return interactions.waitsSince(
        aside == null ? null : aside.until(), last == null ? null : last.startedAt());
  }

  /// These facts with the form that a `task.queued` names, if it does.
  RunFacts form(@Nullable Integer named) {
    return named == null ? this : with(next -> next.form = named);
  }

  RunFacts used(Usage more) {
    return with(next -> next.usage = usage.plus(more));
  }

  /// Later attempts begin with this commit.
  RunFacts at(@Nullable String commit) {
    return with(next -> next.request = request.at(commit));
  }

  RunFacts session(String id) {
    return with(next -> next.nativeSessionId = id);
  }

  RunFacts text(Text writing, Text whole) {
    return with(
        next -> {
          next.message = writing;
          next.lastMessage = whole;
        });
  }

  RunFacts interactions(Interactions next) {
    return with(draft -> draft.interactions = next);
  }

  private RunFacts with(Consumer<Draft> change) {
    Draft next = new Draft(this);
    change.accept(next);
    return new RunFacts(
        run,
        next.request,
        createdAt,
        next.startedAt,
        next.sequence,
        next.at,
        next.wroteAt,
        next.attempts,
        next.usage,
        next.nativeSessionId,
        next.message,
        next.lastMessage,
        next.interactions,
        next.chain,
        next.form,
        next.aside,
        lifeSeconds);
  }

  /// The facts that may change, while the next ones are made.
  private static final class Draft {
    private RunRequest request;
    private @Nullable Instant startedAt;
    private long sequence;
    private Instant at;
    private Instant wroteAt;
    private int attempts;
    private Usage usage;
    private @Nullable String nativeSessionId;
    private Text message;
    private Text lastMessage;
    private Interactions interactions;
    private @Nullable Chain chain;
    private @Nullable Integer form;
    private @Nullable Aside aside;

    private Draft(RunFacts facts) {
      this.request = facts.request;
      this.startedAt = facts.startedAt;
      this.sequence = facts.sequence;
      this.at = facts.at;
      this.wroteAt = facts.wroteAt;
      this.attempts = facts.attempts;
      this.usage = facts.usage;
      this.nativeSessionId = facts.nativeSessionId;
      this.message = facts.message;
      this.lastMessage = facts.lastMessage;
      this.interactions = facts.interactions;
      this.chain = facts.chain;
      this.form = facts.form;
      this.aside = facts.aside;
    }
  }

  /// Attempts that began from the start: what retry policies count.
  public int tries() {
    return attempts - interactions.continuations();
  }

  /// The agent's final text: its newest whole message, or what it was writing when it ended.
  public @Nullable String finalText() {
    Text last = lastMessage.isEmpty() ? message : lastMessage;
    return last.isEmpty() ? null : last.value();
  }

  /// When the run is over in any case: its run time from the first claim, plus the time its runner
  /// needs to end and report it. Null while no runner has claimed it. By the clock of the runner
  /// that claimed it, to which others allow for [Limits#CLOCK_SKEW_SECONDS_MAX].
  public @Nullable Instant deadline() {
    return startedAt == null ? null : stopAt(startedAt).plusSeconds(Limits.STOP_SECONDS);
  }

  /// From when on the run waits for nothing any more, neither for a person nor for a runner or its
  /// turn: the log does not keep its beginning much longer.
  public Instant lifeEndsAt() {
    return lifeSeconds == null ? Instant.MAX : createdAt.plusSeconds(lifeSeconds);
  }

  /// When a runner ends the agent because its time is over. Time spent waiting for people does not
  /// count.
  public Instant stopAt(Instant started) {
    int seconds = request.timeoutSeconds() == 0 ? Limits.RUN_SECONDS_MAX : request.timeoutSeconds();
    return started.plusSeconds(seconds).plusMillis(interactions.waitedMillis());
  }
}
