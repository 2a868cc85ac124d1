package dev.runyard.core.interaction;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What passed between a run and people, and what an attempt needs to continue where another
/// stopped.
///
/// **Replay.** An agent that cannot keep its memory is executed again from its beginning. Its n-th
/// taken message is then the n-th of [#messages], its n-th answer the n-th of [#answers]; when they
/// are used up it waits for new ones, which come in the order of [#undelivered]. An attempt that
/// continues another also leaves out as many outputs as [#outputs] counts: they are in the log. So
/// an agent that behaves the same when it gets the same input never notices that it was moved, and
/// takes each message and each answer once.
///
/// @param actions in the order they were required
/// @param inbox in the order they were accepted
/// @param awaitingSince since when at least one action is pending
/// @param waitedMillis how long the run has waited for people in total, which does not count as run
///   time
/// @param continuations attempts that do not count as tries: they continued another, or were handed
///   back before they had begun
/// @param outputs output events since the agent last began from the start
public record Interactions(
    List<Action> actions,
    List<InboxMessage> inbox,
    @Nullable Instant awaitingSince,
    long waitedMillis,
    int continuations,
    long outputs) {
  public static final Interactions EMPTY = new Interactions(List.of(), List.of(), null, 0, 0, 0);

  public Interactions {
    actions = List.copyOf(actions);
    inbox = List.copyOf(inbox);
  }

  /// Actions nobody has decided, oldest first.
  @JsonIgnore
  public List<Action> pending() {
    return actions.stream().filter(Action::pending).toList();
  }

  @JsonIgnore
  public boolean awaiting() {
    return awaitingSince != null;
  }

  public Optional<Action> action(String actionId) {
    return actions.stream().filter(action -> action.actionId().equals(actionId)).findFirst();
  }

  public Optional<InboxMessage> message(String messageId) {
    return inbox.stream().filter(message -> message.messageId().equals(messageId)).findFirst();
  }

  /// Messages the agent has taken, in the order in which it got them.
  @JsonIgnore
  public List<InboxMessage> messages() {
    return inbox.stream()
        .filter(message -> message.takenAt() > 0 && message.refused() == null)
        .toList();
  }

  /// Decided actions the agent has taken, in the order it took them.
  @JsonIgnore
  public List<Action> answers() {
    return actions.stream()
        .filter(action -> action.takenAt() > 0)
        .sorted(Comparator.comparingLong(Action::takenAt))
        .toList();
  }

  /// What the agent has not taken, in the order of the log.
  @JsonIgnore
  public List<AgentInput> undelivered() {
    List<AgentInput> inputs = new ArrayList<>();
    for (InboxMessage message : inbox) {
      if (message.undelivered()) {
        inputs.add(new AgentInput.Said(message));
      }
    }
    for (Action action : actions) {
      if (action.undelivered()) {
        inputs.add(new AgentInput.Decided(action));
      }
    }
    inputs.sort(Comparator.comparingLong(AgentInput::sequence));
    return inputs;
  }

  /// True while the agent can only be waiting for a person: what it asked is not decided, or it has
  /// not taken the decision.
  @JsonIgnore
  public boolean holds() {
    return awaiting() || actions.stream().anyMatch(Action::undelivered);
  }

  /// When the first pending action is too old to be decided.
  @JsonIgnore
  public Optional<Action> firstToExpire() {
    return pending().stream().min(Comparator.comparing(Action::expiresAt));
  }

  /// An attempt that continued no other was handed back.
  public Interactions noTry() {
    return new Interactions(
        actions, inbox, awaitingSince, waitedMillis, continuations + 1, outputs);
  }

  public Interactions told() {
    return new Interactions(
        actions, inbox, awaitingSince, waitedMillis, continuations, outputs + 1);
  }

  /// An attempt begins. The time until a continuation has a runner does not count as run time.
  ///
  /// @param since as [#waitsSince] says
  public Interactions attempt(boolean continuation, Instant now, @Nullable Instant since) {
    if (!continuation) {
      return new Interactions(actions, inbox, awaitingSince, waitedMillis, continuations, 0);
    }
    long idle = since == null ? 0 : millis(since, now);
    return new Interactions(
        actions, inbox, awaitingSince, waitedMillis + idle, continuations + 1, outputs);
  }

  /// Since when the run waits that a runner is to continue: since the last decision, or since it
  /// was allowed to go on, and if an attempt that was to continue it has begun since then, since
  /// that began, as the time before counts already. Null if nothing kept it waiting.
  ///
  /// @param allowed when the run was last allowed to go on after it was put aside
  /// @param attempted when its newest attempt began
  public @Nullable Instant waitsSince(@Nullable Instant allowed, @Nullable Instant attempted) {
    return Stream.concat(decisions(), Stream.ofNullable(allowed))
        .max(Comparator.naturalOrder())
        .map(since -> attempted != null && attempted.isAfter(since) ? attempted : since)
        .orElse(null);
  }

  /// Nothing of the run was running since then, until now. As long as it waits for a person, that
  /// counts already.
  public Interactions rested(@Nullable Instant since, Instant now) {
    if (since == null || awaiting()) {
      return this;
    }
    Instant from =
        Stream.concat(decisions(), Stream.of(since)).max(Comparator.naturalOrder()).get();
    return new Interactions(
        actions, inbox, null, waitedMillis + millis(from, now), continuations, outputs);
  }

  private Stream<Instant> decisions() {
    return actions.stream()
        .map(Action::resolution)
        .filter(Objects::nonNull)
        .map(Action.Resolution::at);
  }

  private static long millis(Instant since, Instant now) {
    return Math.max(0, now.toEpochMilli() - since.toEpochMilli());
  }

  public Interactions required(ActionRequired required, StoredEvent stored) {
    Instant at = stored.timestamp();
    List<Action> more = new ArrayList<>(actions);
    more.add(Action.of(required, at, stored.sequence()));
    return new Interactions(
        more,
        inbox,
        awaitingSince == null ? at : awaitingSince,
        waitedMillis,
        continuations,
        outputs);
  }

  public Interactions resolved(RunEvent.ActionResolved resolved, StoredEvent stored) {
    List<Action> after =
        changed(
            resolved.actionId(),
            action ->
                action.pending()
                    ? action.resolved(
                        new Action.Resolution(
                            stored.sequence(),
                            stored.timestamp(),
                            resolved.decision(),
                            resolved.payload(),
                            resolved.by()))
                    : action);
    Instant since = awaitingSince;
    if (since == null || after.stream().anyMatch(Action::pending)) {
      return new Interactions(after, inbox, since, waitedMillis, continuations, outputs);
    }
    long waited = Math.max(0, stored.timestamp().toEpochMilli() - since.toEpochMilli());
    return new Interactions(after, inbox, null, waitedMillis + waited, continuations, outputs);
  }

  public Interactions accepted(RunEvent.ChannelMessage message, StoredEvent stored) {
    List<InboxMessage> more = new ArrayList<>(inbox);
    more.add(
        new InboxMessage(
            stored.sequence(),
            stored.timestamp(),
            message.messageId(),
            message.content(),
            InboxMessage.print(message.content()),
            message.from(),
            0,
            null));
    return new Interactions(actions, more, awaitingSince, waitedMillis, continuations, outputs);
  }

  public Interactions taken(RunEvent.ProcessInput input, long sequence) {
    List<Action> after =
        input.actionId() == null
            ? actions
            : changed(
                input.actionId(), action -> action.undelivered() ? action.taken(sequence) : action);
    List<InboxMessage> rest =
        input.messageId() == null
            ? inbox
            : inbox.stream()
                .map(
                    message ->
                        message.messageId().equals(input.messageId()) && message.undelivered()
                            ? message.taken(sequence, input.refused())
                            : message)
                .toList();
    return new Interactions(after, rest, awaitingSince, waitedMillis, continuations, outputs);
  }

  public Interactions slim() {
    return new Interactions(
        actions.stream().map(Action::slim).toList(),
        inbox.stream().map(InboxMessage::slim).toList(),
        awaitingSince,
        waitedMillis,
        continuations,
        outputs);
  }

  /// What a list shows: the first action that waits for a person.
  public Interactions brief() {
    return new Interactions(
        pending().stream().limit(1).toList(),
        List.of(),
        awaitingSince,
        waitedMillis,
        continuations,
        outputs);
  }

  /// The same with what [#slim()] leaves out.
  public Interactions whole(List<Action> allActions, List<InboxMessage> allMessages) {
    return new Interactions(
        allActions, allMessages, awaitingSince, waitedMillis, continuations, outputs);
  }

  private List<Action> changed(String actionId, UnaryOperator<Action> change) {
    return actions.stream()
        .map(action -> action.actionId().equals(actionId) ? change.apply(action) : action)
        .toList();
  }
}
