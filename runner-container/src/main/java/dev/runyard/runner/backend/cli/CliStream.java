package dev.runyard.runner.backend.cli;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.NativeSession;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.OutputWarnings;
import dev.runyard.runner.backend.StreamLine;
import dev.runyard.runner.backend.ToolCalls;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The standard output of a CLI that prints a JSON object with a type on each line, one line at a
/// time, as events of a run. Subclasses differ only in the meaning of types. One stream serves one
/// process; not thread-safe.
public abstract class CliStream implements OutputParser {
  protected final OutputWarnings warnings;
  protected final NativeSession session = new NativeSession();
  protected final CliOutcome outcome;
  protected final ToolCalls tools;
  private final @Nullable String model;
  private boolean writing;

  /// @param agent the CLI's name for people
  /// @param flags the arguments that make it print this format
  /// @param model the requested model, null for the agent's own choice
  protected CliStream(String agent, String flags, ToolCalls tools, @Nullable String model) {
    this.warnings = new OutputWarnings(agent);
    this.outcome = new CliOutcome(agent, flags);
    this.tools = tools;
    this.model = model;
  }

  /// The events of a line; none for most lines that only repeat what is known.
  protected abstract List<RunEvent> typed(StreamLine line);

  @Override
  public final List<RunEvent> line(String line) {
    return StreamLine.events(line, this::typed, warnings);
  }

  @Override
  public Ending end(Attempt.Exit exit, String stderr) {
    return new Ending(after(message(), tools.close()), outcome.failure(exit, stderr));
  }

  /// The next piece of a message of the model, which is now open.
  protected final List<RunEvent> text(String piece) {
    writing |= !piece.isEmpty();
    return piece.isEmpty() ? List.of() : List.of(new RunEvent.ModelDelta(piece));
  }

  /// A message whose pieces may already have been reported.
  protected final List<RunEvent> whole(String text) {
    return after(writing ? List.of() : text(text), message());
  }

  protected static List<RunEvent> thought(String piece) {
    return piece.isEmpty() ? List.of() : List.of(new RunEvent.ReasoningDelta(piece));
  }

  /// The end of the message, if one is open.
  protected final List<RunEvent> message() {
    boolean open = writing;
    writing = false;
    return open ? List.of(new RunEvent.ModelCompleted()) : List.of();
  }

  protected final List<RunEvent> used(Usage usage) {
    return List.of(new RunEvent.CostRecorded(usage, model));
  }

  protected static List<RunEvent> after(List<RunEvent> first, List<RunEvent> then) {
    List<RunEvent> events = new ArrayList<>(first);
    events.addAll(then);
    return events;
  }
}
