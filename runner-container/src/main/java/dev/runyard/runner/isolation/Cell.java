package dev.runyard.runner.isolation;

import dev.runyard.core.event.SandboxApplied;
import dev.runyard.core.problem.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// What surrounds the processes of one attempt.
public interface Cell {
  /// Nothing: processes of the runner's user, without limits, of which nothing is told.
  Cell OPEN = new OpenCell(Optional.empty());

  /// How a process is started in a cell.
  ///
  /// @param outer arguments in front of the session's leader
  /// @param inner arguments between that and the program
  /// @param user whose processes are all those of the cell, and only those
  /// @param from the folder in which it is started, from which the arguments lead to the working
  ///   directory: whoever enters a folder that an agent may have exchanged must have no more rights
  ///   than the agent
  /// @param starter starts the process
  record Entrance(
      List<String> outer,
      List<String> inner,
      Variables variables,
      Optional<AgentUser> user,
      Path from,
      Starter starter) {
    /// A folder that is nobody's to exchange.
    static final Path ANYWHERE = Path.of("/");

    /// An entrance in which nothing comes before the process.
    public Entrance(
        List<String> outer,
        List<String> inner,
        Variables variables,
        Optional<AgentUser> user,
        Path from) {
      this(
          outer,
          inner,
          variables,
          user,
          from,
          builder -> user.isPresent() ? user.get().start(builder) : builder.start());
    }

    public Entrance {
      outer = List.copyOf(outer);
      inner = List.copyOf(inner);
    }
  }

  /// The variables of a process in a cell.
  ///
  /// @param own replace those of the command
  /// @param late gives the process all of them between the arguments and the program, where what
  ///   comes before has more rights; empty where nothing has
  record Variables(Map<String, String> own, Optional<LateVariables> late) {
    /// Those of the command, from the start.
    public static final Variables UNCHANGED = new Variables(Map.of(), Optional.empty());

    public Variables {
      own = Map.copyOf(own);
    }
  }

  /// Starts a process.
  @FunctionalInterface
  interface Starter {
    Process start(ProcessBuilder builder) throws IOException;
  }

  /// Makes the cell ready for a process: from now on its folders are the agent's.
  ///
  /// @throws IOException if it cannot be made; then nothing may be started
  Entrance enter(Path workingDir, Map<String, String> environment) throws IOException;

  /// Calls back, once, when a limit is reached that the kernel does not turn into an error of the
  /// process; until the result is closed.
  Watching watch(Consumer<Failure> reached);

  /// What is in force, for the run's log; empty where nothing is told.
  Optional<SandboxApplied> told();

  /// True when agents need no sandbox of their own and could not have one.
  boolean replacesSandbox();

  /// Ends what is left, and gives back what the cell took. Its folders are removed before, or else
  /// become the runner's.
  ///
  /// @return false when something of its own is left, which stays as it is
  boolean close();

  /// A watch that goes on.
  interface Watching extends AutoCloseable {
    Watching NONE = () -> {};

    @Override
    void close();
  }
}
