package dev.runyard.runner.backend;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Failure;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Shapes the events of an attempt's agent before they are written: secrets are cut out, large
/// outputs are stored by reference, paths are made relative to the working directory, a plan is
/// reported when it changes, and all bounds are applied. Thread-safe; it may wait for the artifact
/// store.
public final class EventShaper {
  /// Most file changes an attempt reports, and most bytes of a path. Part of a path would name
  /// another file.
  public static final int FILE_CHANGES_MAX = 2_000;

  public static final int PATH_BYTES_MAX = 1_024;

  /// Most steps of a plan, and most bytes of a step's text.
  public static final int PLAN_ENTRIES_MAX = 64;

  public static final int PLAN_ENTRY_BYTES_MAX = 512;

  private final ReentrantLock lock = new ReentrantLock();
  private final Redaction redaction;
  private final Outputs outputs;
  private final List<Path> roots;
  private List<PlanEntry> plan = List.of();
  private List<RunEvent> first = List.of();
  private int fileChanges;
  private boolean omitted;

  private EventShaper(Redaction redaction, Outputs outputs, List<Path> roots) {
    this.redaction = redaction;
    this.outputs = outputs;
    this.roots = roots;
  }

  /// Stores no outputs and leaves paths unchanged.
  public static EventShaper bare() {
    return new EventShaper(new Redaction(), Outputs.none(), List.of());
  }

  /// Stores outputs of the run, and makes paths relative to the working directory.
  ///
  /// @param workingDir the agent's working directory
  public static EventShaper of(ArtifactStore store, RunKey run, String attemptId, Path workingDir) {
    return of(store, run, attemptId, workingDir, new Redaction());
  }

  /// The same.
  ///
  /// @param redaction knows the secrets of the attempt
  public static EventShaper of(
      ArtifactStore store, RunKey run, String attemptId, Path workingDir, Redaction redaction) {
    return new EventShaper(redaction, Outputs.in(store, run, attemptId), roots(workingDir));
  }

  /// Says what the runner has to tell before the agent starts: what ends at once must not be over
  /// before that is told.
  public void first(List<RunEvent> told) {
    first = List.copyOf(told);
  }

  List<RunEvent> first() {
    return first;
  }

  /// The events to write for a reported one.
  List<RunEvent> of(RunEvent event) {
    lock.lock();
    try {
      return bounded(redaction.of(event));
    } finally {
      lock.unlock();
    }
  }

  /// The events to write for one that the agent did not print itself, and that may come in the
  /// middle of its output: what is held back of that stays so.
  public List<RunEvent> beside(RunEvent event) {
    lock.lock();
    try {
      return redaction.beside(event);
    } finally {
      lock.unlock();
    }
  }

  /// A question as it may be asked, and within its bounds, since many may wait to be taken.
  Question of(Question question) {
    lock.lock();
    try {
      return redaction.of(question).cut();
    } finally {
      lock.unlock();
    }
  }

  /// A failure as it may be told.
  Failure of(Failure failure) {
    lock.lock();
    try {
      return new Failure(failure.code(), failure.category(), redaction.text(failure.message()));
    } finally {
      lock.unlock();
    }
  }

  /// The events to write before something that is no event.
  ///
  /// @param last whether nothing follows
  List<RunEvent> rest(boolean last) {
    lock.lock();
    try {
      return bounded(redaction.rest(last));
    } finally {
      lock.unlock();
    }
  }

  /// From now on this value is cut out of every event.
  public void know(String secret, String value) {
    lock.lock();
    try {
      redaction.know(secret, value);
    } finally {
      lock.unlock();
    }
  }

  private List<RunEvent> bounded(List<RunEvent> events) {
    List<RunEvent> bounded = new ArrayList<>();
    for (RunEvent event : events) {
      facts(event).forEach(fact -> bounded.addAll(EventBounds.apply(fact)));
    }
    return bounded;
  }

  private List<RunEvent> facts(RunEvent event) {
    return switch (event) {
      case RunEvent.ToolEnd tool -> ended(tool);
      case RunEvent.ArtifactChanged file -> changed(file);
      case RunEvent.TaskProgress progress -> progressed(progress);
      case RunEvent.Output _, RunEvent.StateChange _, RunEvent.Interaction _, RunEvent.Notice _ ->
          List.of(event);
    };
  }

  /// A call's end, after the events of its output.
  private List<RunEvent> ended(RunEvent.ToolEnd tool) {
    String told = tool.preview();
    if (told == null) {
      return List.of(tool);
    }
    String output = Bounds.wellFormed(told);
    Outputs.Spilled spilled = outputs.spill(tool.toolCallId(), output);
    List<RunEvent> events = new ArrayList<>(spilled.events());
    events.add(tool.showing(output, spilled.ref()));
    return events;
  }

  private List<RunEvent> changed(RunEvent.ArtifactChanged file) {
    String path = Bounds.wellFormed(inside(file.path()));
    if (fileChanges < FILE_CHANGES_MAX && Bounds.bytes(path) <= PATH_BYTES_MAX) {
      fileChanges++;
      return List.of(new RunEvent.ArtifactChanged(file.toolCallId(), path, file.change()));
    }
    if (omitted) {
      return List.of();
    }
    omitted = true;
    return List.of(
        new RunEvent.RuntimeWarning(
            "file_changes_omitted",
            "The agent changed more files than are reported (%d), or files with longer paths (%d bytes)."
                .formatted(FILE_CHANGES_MAX, PATH_BYTES_MAX)));
  }

  /// The path relative to the working directory if it is inside it, else unchanged.
  private String inside(String told) {
    try {
      Path path = Path.of(told).normalize();
      for (Path root : roots) {
        if (path.startsWith(root) && !path.equals(root)) {
          return root.relativize(path).toString();
        }
      }
      return path.isAbsolute() || path.toString().isEmpty() ? told : path.toString();
    } catch (InvalidPathException _) {
      return told;
    }
  }

  private List<RunEvent> progressed(RunEvent.TaskProgress progress) {
    List<PlanEntry> entries =
        progress.entries().stream()
            .limit(PLAN_ENTRIES_MAX)
            .map(entry -> new PlanEntry(step(entry.text()), entry.status()))
            .toList();
    if (entries.equals(plan)) {
      return List.of();
    }
    plan = entries;
    List<RunEvent> events = new ArrayList<>(List.of(new RunEvent.TaskProgress(entries)));
    if (progress.entries().size() > PLAN_ENTRIES_MAX) {
      events.add(
          new RunEvent.RuntimeWarning(
              "plan_cut",
              "The agent's plan has %d steps; the first %d are reported."
                  .formatted(progress.entries().size(), PLAN_ENTRIES_MAX)));
    }
    return events;
  }

  private static String step(String text) {
    return Bounds.truncate(Bounds.wellFormed(text), PLAN_ENTRY_BYTES_MAX);
  }

  /// The directory by its given path and by its real path, which agents may find out.
  private static List<Path> roots(Path workingDir) {
    List<Path> roots = new ArrayList<>();
    roots.add(workingDir.toAbsolutePath().normalize());
    try {
      roots.add(workingDir.toRealPath());
    } catch (IOException _) {
      return roots;
    }
    return roots;
  }
}
