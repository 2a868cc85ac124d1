package dev.runyard.runner.isolation;

import dev.runyard.core.event.SandboxApplied;
import dev.runyard.core.problem.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A user of its own for one attempt. It is taken when the first process starts, so an attempt that
/// starts none costs nothing. Its folders are given to it then and not again: whoever walks through
/// folders in which processes work can be led elsewhere by links. Thread-safe.
final class UserCell implements Cell {
  private static final String TMPDIR = "TMPDIR";
  private static final String TEMPORARY = "tmp";
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final UserLevel level;
  private final String mark;
  private final List<Path> folders;
  private @Nullable UserClaim claim;

  /// @param folders of the attempt, its home first
  UserCell(UserLevel level, String mark, List<Path> folders) {
    this.level = level;
    this.mark = mark;
    this.folders = List.copyOf(folders);
  }

  @Override
  public synchronized Entrance enter(Path workingDir, Map<String, String> environment)
      throws IOException {
    AgentUser own = user();
    if (own == null) {
      copyLinked(folders.getFirst());
      UserClaim taken = level.claims().take(level.stack(), mark, folders);
      claim = taken;
      own = taken.user();
      Files.createDirectories(folders.getFirst().resolve(TEMPORARY));
      for (Path folder : folders) {
        own.own(folder);
      }
    }
    Map<String, String> variables = new HashMap<>();
    variables.put("USER", level.name(own));
    variables.put("LOGNAME", level.name(own));
    Path home = folders.getFirst();
    if (!Path.of(environment.getOrDefault(TMPDIR, "/")).startsWith(home)) {
      variables.put(TMPDIR, home.resolve(TEMPORARY).toString());
    }
    return new Entrance(
        level.commands().in(workingDir, own),
        List.of(),
        new Variables(variables, Optional.of(level.commands().late())),
        Optional.of(own),
        Entrance.ANYWHERE);
  }

  /// What the runner has linked into a home, such as its user's login, the attempt's user may not
  /// read. Only before the first process: later, a link is the agent's, and may lead anywhere.
  private static void copyLinked(Path home) throws IOException {
    List<Path> links;
    try (Stream<Path> all = Files.walk(home)) {
      links = all.filter(Files::isSymbolicLink).toList();
    }
    for (Path link : links) {
      Path target = link.toRealPath();
      if (Files.isRegularFile(target)) {
        byte[] content = Files.readAllBytes(target);
        Files.delete(link);
        Files.createFile(link, OWNER_ONLY);
        Files.write(link, content);
      }
    }
  }

  @Override
  public synchronized Watching watch(Consumer<Failure> reached) {
    AgentUser own = user();
    return own == null ? Watching.NONE : level.watch().begin(own, folders, reached);
  }

  @Override
  public synchronized Optional<SandboxApplied> told() {
    AgentUser own = user();
    return own == null ? Optional.empty() : Optional.of(level.told(own));
  }

  @Override
  public boolean replacesSandbox() {
    return !level.nests();
  }

  @Override
  public synchronized boolean close() {
    UserClaim own = claim;
    if (own == null) {
      return true;
    }
    try {
      boolean empty = level.claims().giveBack(own);
      if (empty) {
        claim = null;
      }
      return empty;
    } catch (IOException _) {
      return false;
    }
  }

  private @Nullable AgentUser user() {
    UserClaim own = claim;
    return own == null ? null : own.user();
  }
}
