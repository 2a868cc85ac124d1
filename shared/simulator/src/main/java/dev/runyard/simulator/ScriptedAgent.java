package dev.runyard.simulator;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.usage.Usage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// One agent process. It plays its script from the beginning and is answered from the interactions
/// first, as [Interactions] says.
final class ScriptedAgent implements AgentHandle {
  /// What a loud agent tells at once, and how often.
  private static final int LOUD_TELLS = 100;

  private static final Duration LOUD_PAUSE = Duration.ofMillis(100);

  private static final Optional<Failure> KILLED =
      Optional.of(Failure.backend("killed", "It was ended."));

  private final Random random;
  private final InstantSource clock;
  private final String attemptId;
  private final RunKey run;
  private final AgentScript script;
  private final AgentSite place;
  private final Deque<AgentScript.Act> acts;
  private final Deque<AgentSignal> late = new ArrayDeque<>();
  private final Deque<InboxMessage> inbox = new ArrayDeque<>();
  private final Deque<InboxMessage> replayed = new ArrayDeque<>();
  private final Deque<Action> answers;
  private final Map<String, Action> decided = new HashMap<>();
  private final List<RunEvent> told = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private final boolean endsEarly;
  private final boolean endsUntold;
  private final boolean deaf;
  private @Nullable Future<RunEvent> spilling;
  private @Nullable Future<Optional<Failure>> keeping;
  private String filler = "";
  private @Nullable String waitsFor;
  private int actions;
  private long skipped;
  private Instant next;
  private boolean ended;
  private boolean killed;
  private boolean failed;

  /// What agents of a history have in common.
  record World(Random random, InstantSource clock, Defect defect) {}

  ScriptedAgent(AgentScript script, RunFacts facts, Attempt attempt, AgentSite place, World world) {
    this.random = world.random();
    this.clock = world.clock();
    this.attemptId = attempt.id();
    this.run = facts.run();
    this.script = script;
    this.place = place;
    this.next = clock.instant();
    this.endsEarly = world.defect() == Defect.OUTPUT_AFTER_EXIT;
    this.endsUntold = world.defect() == Defect.END_NOT_TOLD;
    this.deaf = world.defect() == Defect.DECISION_NOT_HANDED_OVER;
    Interactions interactions = facts.interactions();
    this.actions = interactions.actions().size();
    if (attempt.continuation() && place.mode().remembers()) {
      this.acts =
          new ArrayDeque<>(script.acts().subList(place.files().done(), script.acts().size()));
      this.answers = new ArrayDeque<>();
      interactions.messages().forEach(message -> heard.add(message.messageId()));
    } else {
      this.acts = new ArrayDeque<>(script.acts());
      this.answers = new ArrayDeque<>(interactions.answers());
      boolean goesOn = attempt.continuation() && world.defect() != Defect.OUTPUT_REPEATED;
      this.skipped = goesOn ? interactions.outputs() : 0;
      if (world.defect() == Defect.MESSAGE_TAKEN_TWICE) {
        inbox.addAll(interactions.messages());
      } else {
        replayed.addAll(interactions.messages());
      }
    }
    this.waitsFor =
        interactions.actions().stream()
            .filter(action -> action.pending() || action.undelivered())
            .map(Action::actionId)
            .findFirst()
            .orElse(null);
    place.warning().ifPresent(event -> late.add(new AgentSignal.Output(event)));
  }

  /// Text that it adds to its words.
  void fill(String text) {
    filler = text;
  }

  private String question() {
    return Bounds.truncate("May I? " + filler, Bounds.MESSAGE_BYTES_MAX);
  }

  @Override
  public List<AgentSignal> take(int max) {
    List<AgentSignal> taken = new ArrayList<>();
    while (taken.size() < max && !ended && !next.isAfter(clock.instant())) {
      int before = taken.size();
      if (!step(taken)) {
        break;
      }
      if (taken.size() > before) {
        next = next.plus(pace());
      }
    }
    return taken;
  }

  private Duration pace() {
    if (script.loud()) {
      return acts.size() % LOUD_TELLS == 0 ? LOUD_PAUSE : Duration.ZERO;
    }
    return Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(4000) : 5);
  }

  /// When it next has something to tell, [Instant#MAX] while it waits or has ended.
  Instant nextAt() {
    if (ended) {
      return Instant.MAX;
    }
    if (!late.isEmpty()) {
      return next;
    }
    if (killed) {
      return kept().isPresent() ? next : Instant.MAX;
    }
    return switch (acts.peek()) {
      case null -> Instant.MAX;
      case AgentScript.Act.Tell _, AgentScript.Act.End _ -> next;
      case AgentScript.Act.Spill _ -> spilling == null || spilling.isDone() ? next : Instant.MAX;
      case AgentScript.Act.Ask _ ->
          waitsFor == null || !answers.isEmpty() || decided.containsKey(waitsFor)
              ? next
              : Instant.MAX;
      case AgentScript.Act.Pop _ -> replayed.isEmpty() && inbox.isEmpty() ? Instant.MAX : next;
    };
  }

  /// True while the next that it does is to ask, or it waits for what it asked.
  boolean asks() {
    return acts.peek() instanceof AgentScript.Act.Ask;
  }

  /// True when it ended as its script says, and the script says that it fails.
  boolean failedByScript() {
    return failed;
  }

  /// Does the next act; false when there is none, or it has to wait.
  private boolean step(List<AgentSignal> out) {
    if (!late.isEmpty()) {
      out.add(late.removeFirst());
      return true;
    }
    if (killed) {
      Optional<Failure> failure = kept().orElse(Optional.empty());
      ended = kept().isPresent();
      if (ended) {
        out.add(new AgentSignal.Ended(Optional.of(new Attempt.Exit(null, 15)), 100, failure, 0));
      }
      return ended;
    }
    AgentScript.Act act = acts.peek();
    boolean done =
        switch (act) {
          case null -> false;
          case AgentScript.Act.Tell tell -> tell(output(tell.index()), out);
          case AgentScript.Act.Spill spill -> spill(spill.index(), out);
          case AgentScript.Act.Ask ask -> ask(ask, out);
          case AgentScript.Act.Pop _ -> pop(out);
          case AgentScript.Act.End end -> end(end.fails(), out);
        };
    if (done) {
      acts.poll();
      place.files().didOne();
    }
    return done;
  }

  /// Tells of an output when it is kept.
  private boolean spill(int index, List<AgentSignal> out) {
    if (skipped > 0) {
      skipped--;
      return true;
    }
    Future<RunEvent> put = spilling == null ? place.spill(index) : spilling;
    spilling = put.isDone() ? null : put;
    return put.isDone() && tell(put.resultNow(), out);
  }

  private boolean tell(RunEvent event, List<AgentSignal> out) {
    if (skipped > 0) {
      skipped--;
      return true;
    }
    told.add(event);
    if (endsEarly && acts.size() == 2) {
      acts.poll();
      return end(false, out);
    }
    out.add(new AgentSignal.Output(event));
    return true;
  }

  private boolean ask(AgentScript.Act.Ask ask, List<AgentSignal> out) {
    if (!answers.isEmpty()) {
      answers.poll();
      return true;
    }
    String id = waitsFor;
    if (id == null) {
      id = ActionId.of(run, ++actions);
      waitsFor = id;
      out.add(
          new AgentSignal.Asked(
              new Question(
                  id, ask.type(), question(), null, List.of(), ask.timeoutSeconds(), null)));
    }
    Action answer = decided.get(id);
    if (answer == null) {
      return false;
    }
    out.add(new AgentSignal.Took(new AgentInput.Decided(answer), Optional.empty()));
    waitsFor = null;
    return true;
  }

  private boolean pop(List<AgentSignal> out) {
    InboxMessage message = replayed.poll();
    if (message != null) {
      heard.add(message.messageId());
      return true;
    }
    message = inbox.poll();
    if (message == null) {
      return false;
    }
    heard.add(message.messageId());
    out.add(new AgentSignal.Took(new AgentInput.Said(message), Optional.empty()));
    return true;
  }

  private boolean end(boolean fails, List<AgentSignal> out) {
    if (endsUntold) {
      acts.clear();
      return false;
    }
    ended = true;
    failed = fails;
    out.add(
        new AgentSignal.Ended(
            Optional.of(new Attempt.Exit(fails ? 1 : 0, null)),
            100,
            fails ? Optional.of(Failure.backend("agent_failed", "It failed.")) : Optional.empty(),
            0));
    return true;
  }

  private RunEvent output(int i) {
    if (i % AgentScript.USES_EVERY == 3) {
      return new RunEvent.CostRecorded(new Usage(10, 0, i, 0, null), null);
    }
    return i % AgentScript.USES_EVERY == 4
        ? new RunEvent.ModelCompleted()
        : new RunEvent.ModelDelta(attemptId + "/" + i + " " + (i % 3 == 0 ? filler : ""));
  }

  @Override
  public void deliver(AgentInput input) {
    switch (input) {
      case AgentInput.Said said -> inbox.add(said.message());
      case AgentInput.Decided(Action action) -> {
        if (!deaf) {
          decided.put(action.actionId(), action);
        }
      }
    }
  }

  @Override
  public Future<Pausable> canPause() {
    return place.canPause();
  }

  /// What it leaves is kept first.
  @Override
  public void pause() {
    if (!killed && !ended) {
      stop(Stop.GENTLY);
      keeping = place.keepFiles();
    }
  }

  @Override
  public void stop(Stop how) {
    if (!killed && !ended) {
      killed = true;
      next = clock.instant().plusMillis(random.nextInt(2000));
    }
  }

  /// How a killed agent ends, once what it leaves is kept.
  private Optional<Optional<Failure>> kept() {
    Future<Optional<Failure>> by = keeping;
    if (by == null) {
      return Optional.of(KILLED);
    }
    return by.isDone() ? Optional.of(by.resultNow().or(() -> KILLED)) : Optional.empty();
  }

  /// The machine is gone: nothing more is told.
  void vanish() {
    ended = true;
  }

  boolean gone() {
    return ended;
  }

  /// True when it is gone, or told to go.
  boolean leaves() {
    return ended || killed;
  }

  /// Every output told to the attempt, in order.
  List<RunEvent> told() {
    return told;
  }

  /// Every message the agent was given, in order, those from the interactions included.
  List<String> heard() {
    return heard;
  }

  /// The numbers of the texts its script has.
  List<Integer> texts() {
    return script.acts().stream()
        .filter(AgentScript.Act.Tell.class::isInstance)
        .map(act -> ((AgentScript.Act.Tell) act).index())
        .filter(index -> output(index) instanceof RunEvent.ModelDelta)
        .toList();
  }

  RunKey run() {
    return run;
  }

  AgentFiles files() {
    return place.files();
  }
}
