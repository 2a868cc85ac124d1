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

/// The backend's end of a run: what the agent says, asks, takes and ends with. [AgentRun] is the
/// attempt's end of it. Thread-safe.
public final class AgentOutput {
  private final EventShaper telling;
  private final ReplayFilter replay;
  private final ToldOnce once = new ToldOnce();
  private final SignalQueue signals = new SignalQueue(this::admits);
  private final AtomicReference<@Nullable EndRequest> asked = new AtomicReference<>();

  /// Of an agent that is not replayed.
  public AgentOutput(EventShaper telling) {
    this(telling, new ReplayFilter(0));
  }

  /// @param telling what is made of the events of this run
  /// @param replay leaves out what is in the log
  public AgentOutput(EventShaper telling, ReplayFilter replay) {
    this.telling = telling;
    this.replay = replay;
  }

  /// Tells an event, waiting while the queue is full, or for a large output to be kept. Text is
  /// bounded here, whatever a backend says, and the session is told once.
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
    signals.put(new AgentSignal.Asked(question));
  }

  /// The agent has an input; to be said before anything that follows from it. Does not wait: the
  /// inputs of a run are few.
  public void took(AgentInput input) {
    signals.putAtOnce(new AgentSignal.Took(input, Optional.empty()));
  }

  /// The agent does not get an input, for a reason people may read. Does not wait.
  public void refuse(AgentInput input, String reason) {
    signals.putAtOnce(new AgentSignal.Took(input, Optional.of(reason)));
  }

  /// True once somebody wanted the agent to end.
  public boolean stopAsked() {
    return asked.get() != null;
  }

  /// Tells the end. The first one counts. A failure is told as an error before it, unless that was
  /// done or the agent was asked to end. What a paused agent leaves is kept before; an agent that
  /// finished all the same needs none of it.
  public void end(AgentSignal.Ended told) {
    AgentSignal.Ended end = told.failure().isPresent() && !signals.isClosed() ? kept(told) : told;
    signals.close(() -> last(end));
  }

  SignalQueue signals() {
    return signals;
  }

  /// The agent's own id of the session it works in, once it was told.
  Optional<String> session() {
    return once.session();
  }

  /// Asks for the end. False where that was done before, or the agent has ended.
  boolean askEnd(EndRequest request) {
    return !signals.isClosed() && asked.compareAndSet(null, request);
  }

  /// True once the agent was asked to end until a person has decided.
  boolean pauseAsked() {
    return asked.get() instanceof EndRequest.Pause;
  }

  private AgentSignal.Ended kept(AgentSignal.Ended end) {
    Optional<Failure> why =
        asked.get() instanceof EndRequest.Pause(PausePolicy policy)
            ? policy.keep()
            : Optional.empty();
    return why.isEmpty()
        ? end
        : new AgentSignal.Ended(end.exit(), end.durationMillis(), why, end.processesLeft());
  }

  private List<AgentSignal> last(AgentSignal.Ended end) {
    List<AgentSignal> last = new ArrayList<>();
    if (!stopAsked()) {
      end.failure()
          .flatMap(once::error)
          .map(error -> new AgentSignal.Output(EventBounds.apply(error).getFirst()))
          .ifPresent(last::add);
    }
    last.add(end);
    return last;
  }

  private boolean admits(AgentSignal signal) {
    return !(signal instanceof AgentSignal.Output(RunEvent event))
        || (once.admits(event) && replay.admits(event));
  }
}
