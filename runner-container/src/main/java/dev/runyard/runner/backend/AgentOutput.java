package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The backend's side of a run: what the agent writes, asks, takes and ends with. [AgentRun] is the
/// attempt's side. Thread-safe.
public final class AgentOutput {
  private static final Failure STOPPED = Failure.backend("agent_stopped", "The agent was stopped.");

  private final EventShaper telling;
  private final ReplayFilter replay;
  private final ToldOnce once = new ToldOnce();
  private final SignalQueue signals = new SignalQueue(this::admits);
  private final AtomicReference<@Nullable EndRequest> asked = new AtomicReference<>();

  /// The output of an agent that is not replayed.
  public AgentOutput(EventShaper telling) {
    this(telling, new ReplayFilter(0));
  }

  /// @param telling shapes the events of this run
  /// @param replay leaves out what is already in the log
  public AgentOutput(EventShaper telling, ReplayFilter replay) {
    this.telling = telling;
    this.replay = replay;
    signals.putFirst(
        telling.first().stream()
            .flatMap(event -> telling.of(event).stream())
            .<AgentSignal>map(AgentSignal.Output::new)
            .toList());
  }

  /// Reports an event, waiting while the queue is full or until a large output is stored. Text is
  /// bounded here, whatever a backend sends, and the session is reported once.
  public void tell(RunEvent event) throws InterruptedException {
    if (signals.isOver()) {
      return;
    }
    for (RunEvent bounded : telling.of(event)) {
      signals.put(new AgentSignal.Output(bounded));
    }
  }

  /// Asks a person.
  public void ask(Question question) throws InterruptedException {
    for (RunEvent event : telling.rest(false)) {
      signals.put(new AgentSignal.Output(event));
    }
    signals.put(new AgentSignal.Asked(telling.of(question)));
  }

  /// The agent took an input; to be reported before anything that follows from it. Does not wait:
  /// the inputs of a run are few.
  public void took(AgentInput input) {
    signals.putAtOnce(new AgentSignal.Took(input, Optional.empty()));
  }

  /// The agent does not get an input, with a reason for people. Does not wait.
  public void refuse(AgentInput input, String reason) {
    signals.putAtOnce(new AgentSignal.Took(input, Optional.of(reason)));
  }

  /// True once the agent was asked to end.
  public boolean stopAsked() {
    return asked.get() != null;
  }

  /// Reports the end. The first one counts. A failure is reported as an error before it, unless
  /// that was done or the agent was asked to end. What a paused agent leaves is stored first,
  /// unless the agent finished anyway.
  public void end(AgentSignal.Ended told) {
    AgentSignal.Ended cut =
        saysAgain() && told.failure().isEmpty() ? because(told, Optional.of(STOPPED)) : told;
    AgentSignal.Ended end = cut.failure().isPresent() && !signals.isClosed() ? kept(cut) : cut;
    signals.close(() -> last(end));
  }

  /// True once the agent was asked to end and will be executed again: the rest of what it says is
  /// said then, and nothing is left out twice.
  private boolean saysAgain() {
    return asked.get() instanceof EndRequest.Pause(PausePolicy.Replayed _);
  }

  SignalQueue signals() {
    return signals;
  }

  /// The agent's own id of its session, once it was reported.
  Optional<String> session() {
    return once.session();
  }

  /// Asks for the end. False if that was done before, or the agent has ended.
  boolean askEnd(EndRequest request) {
    return !signals.isClosed() && asked.compareAndSet(null, request);
  }

  /// True once the agent was asked to end until its run goes on.
  boolean pauseAsked() {
    return asked.get() instanceof EndRequest.Pause;
  }

  private AgentSignal.Ended kept(AgentSignal.Ended end) {
    Optional<Failure> why =
        asked.get() instanceof EndRequest.Pause(PausePolicy policy)
            ? policy.keep()
            : Optional.empty();
    return why.isEmpty() ? end : because(end, why);
  }

  private static AgentSignal.Ended because(AgentSignal.Ended end, Optional<Failure> why) {
    return new AgentSignal.Ended(end.exit(), end.durationMillis(), why, end.processesLeft());
  }

  private List<AgentSignal> last(AgentSignal.Ended end) {
    List<AgentSignal> last = new ArrayList<>();
    telling.rest(true).stream()
        .<AgentSignal>map(AgentSignal.Output::new)
        .filter(this::admits)
        .forEach(last::add);
    if (!stopAsked()) {
      end.failure()
          .map(telling::of)
          .flatMap(once::error)
          .map(error -> new AgentSignal.Output(EventBounds.apply(error).getFirst()))
          .ifPresent(last::add);
    }
    last.add(
        new AgentSignal.Ended(
            end.exit(), end.durationMillis(), end.failure().map(telling::of), end.processesLeft()));
    return last;
  }

  private boolean admits(AgentSignal signal) {
    return !(signal instanceof AgentSignal.Output(RunEvent event))
        || (!(saysAgain() && isOfAgent(event)) && once.admits(event) && replay.admits(event));
  }

  private static boolean isOfAgent(RunEvent event) {
    return event instanceof RunEvent.Output output && output.ofAgent();
  }
}
