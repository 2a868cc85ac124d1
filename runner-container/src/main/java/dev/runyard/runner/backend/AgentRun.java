package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.EventSize;
import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A running agent: a bounded queue between the backend, which tells what happens, and the attempt,
/// which writes it down. A full queue makes the backend wait, and so the agent. Thread-safe.
public final class AgentRun implements AgentHandle {
  /// Events told and not yet taken.
  public static final int BACKLOG_EVENTS_MAX = 4096;

  /// Text of them at most, and one event more.
  public static final int BACKLOG_BYTES_MAX = 4 * 1024 * 1024;

  static final String TAKES_NONE = "this agent takes no input";

  private final ReentrantLock lock = new ReentrantLock();
  private final EventShaper telling;
  private final Condition room = lock.newCondition();
  private final Condition news = lock.newCondition();
  private final Deque<AgentSignal> signals = new ArrayDeque<>();
  private Runnable onStop = () -> {};
  private Consumer<AgentInput> onInput = input -> refuse(input, TAKES_NONE);
  private boolean replays;
  private BooleanSupplier keepsSession = () -> false;
  private @Nullable Keeping files;
  private boolean pausing;
  private long outputsToSkip;
  private int signalBytes;
  private boolean stopped;
  private boolean ended;
  private boolean abandoned;
  private @Nullable String session;
  private @Nullable String lastError;

  /// A run that keeps no outputs and knows no working directory.
  public AgentRun() {
    this(EventShaper.bare());
  }

  /// @param telling what is made of the events of this run
  public AgentRun(EventShaper telling) {
    this.telling = telling;
  }

  /// A run that never started.
  public static AgentRun failed(Failure failure) {
    AgentRun run = new AgentRun();
    run.end(new AgentSignal.Ended(Optional.empty(), 0, Optional.of(failure), 0));
    return run;
  }

  /// What ends the agent; called once, on a thread of its own, also when the end was asked for
  /// before.
  public void onStop(Runnable action) {
    boolean now;
    lock.lock();
    try {
      onStop = action;
      now = stopped;
    } finally {
      lock.unlock();
    }
    if (now) {
      Thread.ofVirtual().name("stop").start(action);
    }
  }

  /// What hands the agent an input, without waiting; set before the run is given away. Without it
  /// every input is refused.
  public void onInput(Consumer<AgentInput> action) {
    onInput = action;
  }

  /// The agent can go on in another attempt by replay. This attempt leaves out the first `outputs`
  /// events it tells, which are in the log; set before anything is told.
  public void replaying(long outputs) {
    replays = true;
    outputsToSkip = outputs;
  }

  /// The agent keeps its own session, which another attempt resumes where the agent's files are
  /// kept too; set before anything is told.
  public void keepingSession() {
    keepingSession(() -> true);
  }

  /// The same for an agent of which that shows later.
  public void keepingSession(BooleanSupplier whether) {
    keepsSession = whether;
  }

  /// Who keeps the agent's files when it is paused. Without it only a replayed agent can be.
  public void keepingFiles(Keeping keeping) {
    files = keeping;
  }

  /// Keeps the files of an agent that is paused.
  public interface Keeping {
    /// True when they can be kept as things are.
    boolean canKeep();

    /// Keeps them once the agent's process tree is gone; says where that failed.
    Optional<Failure> keep();
  }

  /// Asks a person.
  public void ask(Question question) throws InterruptedException {
    put(new AgentSignal.Asked(question));
  }

  /// The agent has an input; to be said before anything that follows from it. Does not wait: the
  /// inputs of a run are few.
  public void took(AgentInput input) {
    taken(new AgentSignal.Took(input, Optional.empty()));
  }

  /// The agent does not get an input, for a reason people may read. Does not wait.
  public void refuse(AgentInput input, String reason) {
    taken(new AgentSignal.Took(input, Optional.of(reason)));
  }

  private void taken(AgentSignal.Took took) {
    lock.lock();
    try {
      if (!ended) {
        signals.add(took);
        news.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// True once somebody wanted the agent to end.
  public boolean stopAsked() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  /// The agent's own id of the session it works in, once it was told.
  public Optional<String> session() {
    lock.lock();
    try {
      return Optional.ofNullable(session);
    } finally {
      lock.unlock();
    }
  }

  /// Tells an event, waiting while the queue is full, or for a large output to be kept. Text is
  /// bounded here, whatever a backend says, and the session is told once.
  public void tell(RunEvent event) throws InterruptedException {
    if (isOver()) {
      return;
    }
    for (RunEvent bounded : telling.of(event)) {
      put(new AgentSignal.Output(bounded));
    }
  }

  /// True once nobody will take what is told: it need not be kept either.
  private boolean isOver() {
    lock.lock();
    try {
      return ended || abandoned;
    } finally {
      lock.unlock();
    }
  }

  /// Tells the end. The first one counts. A failure is told as an error before it, unless that was
  /// done or the agent was asked to end. The files of a paused agent are kept before; an agent that
  /// finished all the same needs none of it.
  public void end(AgentSignal.Ended told) {
    AgentSignal.Ended end = told.failure().isPresent() ? kept(told) : told;
    lock.lock();
    try {
      if (!ended) {
        ended = true;
        end.failure().flatMap(this::untold).ifPresent(signals::add);
        signals.add(end);
        news.signalAll();
        room.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<AgentSignal> take(int max) {
    List<AgentSignal> taken = new ArrayList<>();
    lock.lock();
    try {
      while (taken.size() < max && !signals.isEmpty()) {
        AgentSignal next = signals.remove();
        signalBytes -= bytes(next);
        taken.add(next);
      }
      room.signalAll();
    } finally {
      lock.unlock();
    }
    return taken;
  }

  @Override
  public void deliver(AgentInput input) {
    onInput.accept(input);
  }

  private AgentSignal.Ended kept(AgentSignal.Ended end) {
    Keeping keeping;
    lock.lock();
    try {
      keeping = pausing && !ended ? files : null;
    } finally {
      lock.unlock();
    }
    Optional<Failure> why = keeping == null ? Optional.empty() : keeping.keep();
    return why.isEmpty()
        ? end
        : new AgentSignal.Ended(end.exit(), end.durationMillis(), why, end.processesLeft());
  }

  @Override
  public boolean canPause() {
    Keeping keeping = files;
    if (replays || pausing) {
      return true;
    }
    return keeping != null
        && session().isPresent()
        && keepsSession.getAsBoolean()
        && keeping.canKeep();
  }

  @Override
  public void pause() {
    lock.lock();
    try {
      pausing = !stopped;
    } finally {
      lock.unlock();
    }
    stop();
  }

  @Override
  public void stop() {
    Runnable action;
    lock.lock();
    try {
      if (stopped || ended) {
        return;
      }
      stopped = true;
      action = onStop;
    } finally {
      lock.unlock();
    }
    Thread.ofVirtual().name("stop").start(action);
  }

  /// Ends the agent, if it has not ended, and drops what it still tells. Returns when it has ended,
  /// or after `wait`, or when interrupted.
  public void abandon(Duration wait) {
    stop();
    long nanos = wait.toNanos();
    lock.lock();
    try {
      abandoned = true;
      signals.removeIf(AgentSignal.Output.class::isInstance);
      signalBytes = 0;
      room.signalAll();
      while (!ended && nanos > 0) {
        nanos = news.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until there is something to take, at most `wait`.
  public void awaitSignal(Duration wait) throws InterruptedException {
    long nanos = wait.toNanos();
    lock.lock();
    try {
      while (signals.isEmpty() && nanos > 0) {
        nanos = news.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private void put(AgentSignal signal) throws InterruptedException {
    lock.lock();
    try {
      while (full() && !ended && !abandoned) {
        room.await();
      }
      if (!ended && !abandoned && isNews(signal) && !skipped(signal)) {
        signals.add(signal);
        signalBytes += bytes(signal);
        news.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean skipped(AgentSignal signal) {
    if (outputsToSkip == 0
        || !(signal instanceof AgentSignal.Output output)
        || !EventTypes.isOutput(output.event())) {
      return false;
    }
    outputsToSkip--;
    return true;
  }

  private boolean isNews(AgentSignal signal) {
    if (!(signal instanceof AgentSignal.Output output)) {
      return true;
    }
    return switch (output.event()) {
      case RunEvent.SessionUpdated told -> {
        boolean first = session == null;
        session = first ? told.nativeSessionId() : session;
        yield first;
      }
      case RunEvent.RuntimeError error -> {
        lastError = error.code();
        yield true;
      }
      case RunEvent _ -> true;
    };
  }

  private Optional<AgentSignal> untold(Failure failure) {
    RunEvent error = new RunEvent.RuntimeError(failure.code(), failure.message());
    return stopped || failure.code().equals(lastError)
        ? Optional.empty()
        : Optional.of(new AgentSignal.Output(EventBounds.apply(error).getFirst()));
  }

  private boolean full() {
    return signals.size() >= BACKLOG_EVENTS_MAX || signalBytes >= BACKLOG_BYTES_MAX;
  }

  private static int bytes(AgentSignal signal) {
    return switch (signal) {
      case AgentSignal.Output output -> EventSize.atMost(output.event());
      case AgentSignal.Asked asked -> EventSize.atMost(asked.question().asked(Instant.EPOCH));
      case AgentSignal.Took _, AgentSignal.Ended _ -> 0;
    };
  }
}
