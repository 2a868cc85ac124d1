package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Question;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An agent's run from the view of whoever answers it.
public final class Talking {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  private final AgentRun run;
  private final List<AgentSignal> heard = new ArrayList<>();
  private long sequence = 100;

  public Talking(AgentRun run) {
    this.run = run;
  }

  public AgentRun run() {
    return run;
  }

  /// The agent's next question.
  public Question asked() {
    Signals.until(() -> hear(AgentSignal.Asked.class).isPresent());
    AgentSignal.Asked asked = hear(AgentSignal.Asked.class).orElseThrow();
    heard.remove(asked);
    return asked.question();
  }

  /// The input the agent takes or refuses next.
  public AgentSignal.Took took() {
    Signals.until(() -> hear(AgentSignal.Took.class).isPresent());
    AgentSignal.Took took = hear(AgentSignal.Took.class).orElseThrow();
    heard.remove(took);
    return took;
  }

  public AgentInput.Decided decide(
      Question question, ActionDecision decision, @Nullable String text) {
    AgentInput.Decided decided = decided(question, decision, text, sequence++);
    run.deliver(decided);
    return decided;
  }

  public AgentInput.Said say(String text) {
    AgentInput.Said said = said(text, sequence++);
    run.deliver(said);
    return said;
  }

  public void untilText(String text) {
    Signals.until(
        () -> {
          listen();
          return text(heard).contains(text);
        });
  }

  public void untilTold(Class<? extends RunEvent> type) {
    Signals.until(
        () -> {
          listen();
          return heard.stream()
              .anyMatch(
                  signal ->
                      signal instanceof AgentSignal.Output output
                          && type.isInstance(output.event()));
        });
  }

  /// Takes everything up to the end.
  public Heard end() {
    Signals.until(() -> hear(AgentSignal.Ended.class).isPresent());
    return new Heard(List.copyOf(heard), hear(AgentSignal.Ended.class).orElseThrow());
  }

  /// Everything an agent signalled, without what was taken individually.
  public record Heard(List<AgentSignal> signals, AgentSignal.Ended end) {
    public List<RunEvent> events() {
      return signals.stream()
          .filter(AgentSignal.Output.class::isInstance)
          .map(signal -> ((AgentSignal.Output) signal).event())
          .toList();
    }

    public String text() {
      return Talking.text(signals);
    }
  }

  public static AgentInput.Decided decided(
      Question question, ActionDecision decision, @Nullable String text, long sequence) {
    Action action = Action.of(question.asked(AT), AT, 1);
    return new AgentInput.Decided(
        action.resolved(
            new Action.Resolution(
                sequence, AT, decision, text == null ? null : Question.answer(text), "somebody")));
  }

  public static AgentInput.Said said(String text, long sequence) {
    return new AgentInput.Said(
        new InboxMessage(sequence, AT, "m-" + sequence, text, "print", null, 0, null));
  }

  private <T extends AgentSignal> Optional<T> hear(Class<T> type) {
    listen();
    return heard.stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  private void listen() {
    heard.addAll(run.take(Integer.MAX_VALUE));
  }

  private static String text(List<AgentSignal> signals) {
    StringBuilder text = new StringBuilder();
    for (AgentSignal signal : signals) {
      if (signal instanceof AgentSignal.Output output
          && output.event() instanceof RunEvent.ModelDelta delta) {
        text.append(delta.text());
      }
    }
    return text.toString();
  }
}
