package dev.runyard.core.attempt;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.PermissionRequested;
import dev.runyard.core.event.PermissionResolved;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.run.RunFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What an agent asked in this attempt, as events. In a run that must not wait for people, or not
/// any more, or that has asked too often, the action is refused in the same chunk, before anybody
/// else sees it. Of what was asked too often only the beginning is told: the run's state keeps
/// every action.
final class ActionRequests {
  static final String BY_TIMEOUT = "timeout";
  static final String BY_NON_INTERACTIVE = "non_interactive";
  static final String BY_LIMIT = "limit";

  private final Set<String> asked = new HashSet<>();

  /// The events of a question; none if it was already asked.
  List<RunEvent> ask(Question question, RunFacts facts, boolean interactive, Instant now) {
    Interactions interactions = facts.interactions();
    String id = question.actionId();
    if (interactions.action(id).isPresent() || !asked.add(id)) {
      return List.of();
    }
    List<RunEvent> events = new ArrayList<>();
    boolean permission = question.actionType() == ActionType.PERMISSION;
    Instant end = facts.lifeEndsAt();
    long unseen = asked.stream().filter(other -> interactions.action(other).isEmpty()).count();
    boolean tooMany = interactions.actions().size() + unseen > Limits.ACTIONS_MAX;
    boolean full = tooMany || interactions.pending().size() + unseen > Limits.ACTIONS_PENDING_MAX;
    Question told = tooMany ? question.bare() : question;
    events.add(told.asked(now, facts.request().bounds().awaitSeconds(), end));
    if (permission) {
      events.add(new PermissionRequested(id));
    }
    if (interactive && !full && now.isBefore(end)) {
      events.add(new TaskWaiting(id, question.actionType().phase()));
      return events;
    }
    events.add(
        new RunEvent.ActionResolved(
            id, ActionDecision.DENY, null, interactive ? BY_LIMIT : BY_NON_INTERACTIVE));
    if (permission) {
      events.add(new PermissionResolved(id, ActionDecision.DENY));
    }
    return events;
  }
}
