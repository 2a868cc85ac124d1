package dev.runyard.runner.isolation;

import dev.runyard.core.event.SandboxApplied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The isolation that is in force for a runner's attempts.
///
/// @param level the level
/// @param reason why it is this one
/// @param claims of users, where attempts have users of their own
public record Isolation(
    IsolationLevel level, String reason, Optional<UserClaims> claims, Cells cells) {
  /// What the JVM starts processes with, which it runs with the rights of their users.
  private static final List<Path> STARTERS =
      Stream.of("bin/java", "lib/jspawnhelper")
          .map(Path.of(System.getProperty("java.home"))::resolve)
          .toList();

  /// None, of which nothing is told: for a runner's parts on their own.
  public static final Isolation NONE =
      new Isolation(IsolationLevel.NONE, "", Optional.empty(), (_, _) -> Cell.OPEN);

  /// Makes the cells of attempts.
  @FunctionalInterface
  public interface Cells {
    /// The cell of one attempt.
    ///
    /// @param folders of the attempt, its home first
    Cell cell(String mark, List<Path> folders);
  }

  /// What decides about isolation.
  ///
  /// @param stack the stack whose process the runner shares; empty if none
  /// @param work the folder of workspaces and homes
  /// @param limits of one attempt
  /// @param path where programs are found
  /// @param programs what agents are started from, by users of their own too
  /// @param hidden files and folders that agents must not read although their user may
  public record Setting(
      IsolationChoice choice,
      String stack,
      Path work,
      AttemptLimits limits,
      String path,
      List<Path> programs,
      List<Path> hidden) {
    public Setting {
      programs = List.copyOf(programs);
      hidden = List.copyOf(hidden);
    }

    /// With nothing to hide.
    public Setting(
        IsolationChoice choice,
        String stack,
        Path work,
        AttemptLimits limits,
        String path,
        List<Path> programs) {
      this(choice, stack, work, limits, path, programs, List.of());
    }
  }

  /// Gives the level that was chosen, or the best that works; ends what dead runners left.
  ///
  /// @throws IsolationRefused where the chosen level does not work
  public static Isolation decide(Setting setting) throws IOException {
    Optional<IsolationLevel> required = setting.choice().required();
    return switch (required.orElse(IsolationLevel.UID)) {
      case UID -> users(setting, required.isPresent());
      case BUBBLEWRAP -> bubblewrap(setting, Optional.empty());
      case NONE -> none("it was chosen");
    };
  }

  /// The level and why it is in force, for people.
  public String text() {
    return level.wire() + ": " + reason;
  }

  /// The cell of an attempt.
  ///
  /// @param folders of the attempt, its home first
  public Cell cell(String mark, List<Path> folders) {
    return cells.cell(mark, folders);
  }

  /// Ends what attempts still have that are found by their users; returns how many had something.
  ///
  /// @param marks of the attempts
  public int end(Predicate<String> marks) {
    return claims.map(all -> all.endMarked(marks)).orElse(0);
  }

  private static Isolation users(Setting setting, boolean required) throws IOException {
    Optional<UserCommands> commands = UserCommands.find(setting.limits());
    Optional<String> against = Probe.againstUsers(commands, List.of());
    if (against.isEmpty()) {
      List<Path> folders = new ArrayList<>(enterable(setting.work()));
      folders.addAll(STARTERS);
      against = Probe.againstUsers(commands, folders);
      if (against.isEmpty() && !required) {
        against = Probe.againstUsers(commands, setting.programs());
      }
    }
    if (against.isPresent()) {
      return required ? refused(IsolationLevel.UID, against.get()) : bubblewrap(setting, against);
    }
    AgentNames names = AgentNames.in(Path.of("/etc/passwd"));
    UserClaims claims = UserClaims.here(setting.work(), names.foreign()::contains);
    IpcObjects.load();
    claims.sweep();
    UserCommands found = commands.orElseThrow();
    UserLevel level =
        new UserLevel(
            required ? "it was chosen" : "the runner is root",
            setting.stack(),
            claims,
            found,
            new LimitWatch(setting.limits()),
            names.own(),
            Probe.nests(found));
    return new Isolation(
        IsolationLevel.UID,
        level.reason(),
        Optional.of(claims),
        (mark, folders) -> new UserCell(level, mark, folders));
  }

  private static Isolation bubblewrap(Setting setting, Optional<String> insteadOfUsers) {
    Optional<Path> program = BubblewrapLevel.find(setting.path());
    String reason = insteadOfUsers.map(why -> "no users: " + why).orElse("it was chosen");
    Optional<BubblewrapLevel> level =
        program.map(
            found ->
                new BubblewrapLevel(
                    reason,
                    found,
                    new Hiding(setting.work().toAbsolutePath(), setting.hidden()),
                    setting.programs(),
                    UserCommands.program("prlimit"),
                    setting.limits(),
                    new LimitWatch(setting.limits())));
    Optional<String> against =
        level.isEmpty() ? Optional.of("bubblewrap is not installed") : level.get().against();
    if (against.isPresent()) {
      return insteadOfUsers.isEmpty()
          ? refused(IsolationLevel.BUBBLEWRAP, against.get())
          : none(insteadOfUsers.get() + "; " + against.get());
    }
    BubblewrapLevel works = level.orElseThrow();
    return new Isolation(
        IsolationLevel.BUBBLEWRAP,
        reason,
        Optional.empty(),
        (_, folders) -> new BubblewrapCell(works, folders));
  }

  private static Isolation none(String reason) {
    Cell cell =
        new OpenCell(
            Optional.of(
                new SandboxApplied(
                    IsolationLevel.NONE.wire(),
                    reason,
                    null,
                    Map.of(),
                    "runner_user",
                    "open",
                    NotEnforced.BY_NOTHING)));
    return new Isolation(IsolationLevel.NONE, reason, Optional.empty(), (_, _) -> cell);
  }

  private static Isolation refused(IsolationLevel level, String why) {
    throw new IsolationRefused(
        "isolation %s is required and cannot be given: %s. Change that, or choose another level of isolation."
            .formatted(level.wire(), why));
  }

  /// Makes the folders of attempts, which every user may pass through and only the runner list.
  private static List<Path> enterable(Path work) throws IOException {
    Path passed = Files.createDirectories(work.toAbsolutePath());
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(passed);
    if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
      Files.setPosixFilePermissions(passed, permissions);
    }
    List<Path> folders = List.of(passed.resolve("homes"), passed.resolve("workspaces"));
    for (Path folder : folders) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
    return folders;
  }
}
