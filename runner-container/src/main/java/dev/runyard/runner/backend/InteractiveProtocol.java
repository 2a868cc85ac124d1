package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.process.Line;
import dev.runyard.runner.process.LineReader;
import dev.runyard.runner.process.LineWriter;
import java.util.List;
import java.util.Optional;

/// The protocol of a CLI over its standard input and output. An instance serves one process, is
/// used by one thread at a time, and never throws because of a line or an input.
public interface InteractiveProtocol {
  /// Called first. Its events are reported before anything the process prints.
  List<Effect> open();

  /// A line of standard output. It is never passed on unchanged (DR-0005).
  List<Effect> line(String line);

  /// A line of standard output that is too long to be kept.
  default List<Effect> oversize(Line.Oversize line) {
    return List.of(
        new Effect.Tell(
            new RunEvent.OutputTruncated("line", line.totalBytes(), LineReader.LINE_BYTES_MAX)));
  }

  /// A message for the agent, or a decision on its question. If the protocol keeps an input for
  /// later, it must return [Effect.Took] or [Effect.Refuse] for it then.
  List<Effect.Prompt> input(AgentInput input);

  /// How much may wait to be read by the agent; an agent with more does not read its input.
  default long waitingBytesMax() {
    return LineWriter.WAITING_BYTES_MAX;
  }

  /// The agent must end. If something is written to it here, it gets [#politeMillis] to end by
  /// itself; otherwise its processes are ended at once.
  List<Effect.Prompt> stop();

  /// How long an agent that was asked to end may take before its processes are signalled.
  default int politeMillis() {
    return CliRun.POLITE_MILLIS;
  }

  /// True while the agent must be ended without notice, because it would write something into its
  /// conversation that nobody said. Its processes are then killed. Called after [#stop].
  default boolean unawares() {
    return false;
  }

  /// Why the process must be ended although it still runs; empty if it need not be.
  default Optional<Failure> giveUp() {
    return Optional.empty();
  }

  /// How it ended, by meaning. Inputs that were kept and never handed over stay undelivered.
  ///
  /// @param stderr the end of standard error, which must not be stored
  OutputParser.Ending end(Attempt.Exit exit, String stderr);
}
