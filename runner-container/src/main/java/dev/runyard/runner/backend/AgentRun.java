package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/// A running agent as its attempt sees it. [AgentOutput] is the backend's side. Thread-safe.
public final class AgentRun implements AgentHandle {
  private final AgentOutput output;
  private final AgentControl control;
  private final PausePolicy pausing;

  /// An agent that keeps its place while it waits for a person.
  public AgentRun(AgentOutput output, AgentControl control) {
    this(output, control, new PausePolicy.HoldsPlace());
  }

  /// @param output the agent's output
  /// @param control passes requests to it
  /// @param pausing whether it may be ended while it waits for a person
  public AgentRun(AgentOutput output, AgentControl control, PausePolicy pausing) {
    this.output = output;
    this.control = control;
    this.pausing = pausing;
  }

  /// A run that never started.
  public static AgentRun failed(Failure failure) {
    return failed(List.of(), failure);
  }

  /// A run that never started, with what is told of it before: so little that no place has to be
  /// waited for.
  public static AgentRun failed(List<RunEvent> told, Failure failure) {
    return over(told, new AgentSignal.Ended(Optional.empty(), 0, Optional.of(failure), 0));
  }

  /// A run that had nothing to start, and has done what it should.
  public static AgentRun completed(List<RunEvent> told) {
    return over(
        told,
        new AgentSignal.Ended(Optional.of(new Attempt.Exit(0, null)), 0, Optional.empty(), 0));
  }

  private static AgentRun over(List<RunEvent> told, AgentSignal.Ended end) {
    AgentOutput output = new AgentOutput(EventShaper.bare());
    try {
      for (RunEvent event : told) {
        output.tell(event);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    output.end(end);
    return new AgentRun(output, AgentControl.withoutInput(output, () -> {}));
  }

  /// A run that never started, because the home of its agent could not be prepared.
  public static AgentRun homeless() {
    return failed(
        new Failure(
            Failure.LAUNCH_FAILED,
            Category.INTERNAL,
            "The agent could not be started: the runner could not prepare its home."));
  }

  /// Reports an event of the runner, as if the agent had reported it.
  public void tell(RunEvent event) throws InterruptedException {
    output.tell(event);
  }

  /// The agent's own id of its session, once it was reported.
  public Optional<String> session() {
    return output.session();
  }

  @Override
  public List<AgentSignal> take(int max) {
    return output.signals().take(max);
  }

  /// Waits until there is something to take, at most `wait`.
  public void awaitSignal(Duration wait) throws InterruptedException {
    awaitSignal(wait, () -> false);
  }

  /// Waits until there is something to take or `news`, which is asked again after [#wake]; at most
  /// `wait`.
  public void awaitSignal(Duration wait, BooleanSupplier news) throws InterruptedException {
    output.signals().awaitSignal(wait, news);
  }

  /// Lets whoever waits look for news.
  public void wake() {
    output.signals().wake();
  }

  @Override
  public void deliver(AgentInput input) {
    control.deliver(input);
  }

  @Override
  public Future<Pausable> canPause() {
    return output.pauseAsked()
        ? CompletableFuture.completedFuture(Pausable.YES)
        : pausing.canPause(session());
  }

  @Override
  public void pause() {
    end(new EndRequest.Pause(pausing));
  }

  @Override
  public void stop(Stop how) {
    switch (how) {
      case GENTLY -> end(new EndRequest.Stop());
      case AT_ONCE -> {
        var _ = output.askEnd(new EndRequest.Stop());
        if (!output.signals().isClosed()) {
          begin(control::kill);
        }
      }
    }
  }

  /// Ends the agent gently.
  public void stop() {
    stop(Stop.GENTLY);
  }

  /// Ends the agent, if it has not ended, and drops its further output. Returns when it has ended,
  /// or after `wait`, or when interrupted.
  public void abandon(Duration wait) {
    stop();
    output.signals().abandon(wait);
  }

  private void end(EndRequest how) {
    if (output.askEnd(how)) {
      begin(control::stop);
    }
  }

  private static void begin(Runnable how) {
    Thread.ofPlatform().daemon().name("stop").start(how);
  }
}
