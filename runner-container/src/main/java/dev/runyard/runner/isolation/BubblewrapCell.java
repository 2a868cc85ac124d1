package dev.runyard.runner.isolation;

import dev.runyard.core.event.SandboxApplied;
import dev.runyard.core.problem.Failure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Namespaces of its own for one attempt: it sees its own processes and no others, and may write
/// only to its folders. All its processes end with the first one.
record BubblewrapCell(BubblewrapLevel level, List<Path> folders) implements Cell {
  private static final String TMPDIR = "TMPDIR";

  @Override
  public Entrance enter(Path workingDir, Map<String, String> environment) {
    List<String> inner = new ArrayList<>(level.argv());
    folders.forEach(
        folder -> inner.addAll(List.of("--bind", folder.toString(), folder.toString())));
    inner.addAll(List.of("--chdir", workingDir.toString(), "--"));
    Path home = folders.getFirst();
    boolean own = Path.of(environment.getOrDefault(TMPDIR, "/")).startsWith(home);
    return new Entrance(
        level.limits(),
        inner,
        new Variables(own ? Map.of() : Map.of(TMPDIR, "/tmp"), Optional.of(BubblewrapLevel.LATE)),
        Optional.empty(),
        Entrance.ANYWHERE);
  }

  @Override
  public Watching watch(Consumer<Failure> reached) {
    return level.watch().disk(folders, reached);
  }

  @Override
  public Optional<SandboxApplied> told() {
    return Optional.of(level.told());
  }

  @Override
  public boolean replacesSandbox() {
    return true;
  }

  @Override
  public boolean close() {
    return true;
  }
}
