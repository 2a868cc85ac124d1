package dev.runyard.system.genuine;

import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.testkit.threads.TestPatience;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// A person who watches a run and answers it.
final class CodexSpoken {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final long WAIT_NANOS = TestPatience.LONG.toNanos();

  private final AgentRun run;
  private final List<AgentSignal> heard = new ArrayList<>();
  private int looked;

  CodexSpoken(AgentRun run) {
    this.run = run;
  }

  AgentRun run() {
    return run;
  }

  Question asked() throws InterruptedException {
    return ((AgentSignal.Asked) next(AgentSignal.Asked.class::isInstance)).question();
  }

  void tookWhatWasSaid() throws InterruptedException {
    next(
        signal ->
            signal instanceof AgentSignal.Took took && took.input() instanceof AgentInput.Said);
  }

  AgentSignal.Ended end() throws InterruptedException {
    return (AgentSignal.Ended) next(AgentSignal.Ended.class::isInstance);
  }

  /// The end of a run that may do whatever it asks for.
  AgentSignal.Ended endApproving() throws InterruptedException {
    while (true) {
      switch (next(signal -> !(signal instanceof AgentSignal.Output))) {
        case AgentSignal.Asked asked -> decide(asked.question(), ActionDecision.APPROVE);
        case AgentSignal.Ended ended -> {
          return ended;
        }
        case AgentSignal.Took _, AgentSignal.Output _ -> {}
      }
    }
  }

  <T extends RunEvent> T told(Class<T> type) throws InterruptedException {
    AgentSignal signal =
        next(next -> next instanceof AgentSignal.Output output && type.isInstance(output.event()));
    return type.cast(((AgentSignal.Output) signal).event());
  }

  void decide(Question question, ActionDecision decision) {
    Action action = Action.of(question.asked(AT), AT, 1);
    run.deliver(
        new AgentInput.Decided(
            action.resolved(new Action.Resolution(7, AT, decision, null, "somebody"))));
  }

  void say(String text) {
    run.deliver(new AgentInput.Said(new InboxMessage(8, AT, "m-8", text, "print", null, 0, null)));
  }

  <T extends RunEvent> List<T> all(Class<T> type) {
    return heard.stream()
        .filter(AgentSignal.Output.class::isInstance)
        .map(signal -> ((AgentSignal.Output) signal).event())
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  String text() {
    return String.join(
        "", all(RunEvent.ModelDelta.class).stream().map(RunEvent.ModelDelta::text).toList());
  }

  Usage used() {
    return all(RunEvent.CostRecorded.class).stream()
        .map(RunEvent.CostRecorded::usage)
        .reduce(Usage.NONE, Usage::plus);
  }

  private AgentSignal next(Predicate<AgentSignal> wanted) throws InterruptedException {
    long deadline = System.nanoTime() + WAIT_NANOS;
    while (System.nanoTime() < deadline) {
      heard.addAll(run.take(Integer.MAX_VALUE));
      while (looked < heard.size()) {
        AgentSignal signal = heard.get(looked++);
        if (wanted.test(signal)) {
          return signal;
        }
      }
      run.awaitSignal(LOOK);
    }
    throw new AssertionError("it did not happen: " + heard);
  }
}
