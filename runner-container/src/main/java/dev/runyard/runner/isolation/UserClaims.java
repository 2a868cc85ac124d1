package dev.runyard.runner.isolation;

import dev.runyard.runner.files.Removal;
import dev.runyard.runner.machine.ProcessStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Which users of attempts are taken on this machine, by whichever runner: one file each, in a
/// folder of the runner's user.
///
/// A file is there before the user has its first process or file, and until it has none. So a user
/// without a file has nothing, and what a user has whose runner is dead is left over.
public final class UserClaims {
  /// How often what is left of a user is killed before it is given up for now.
  static final int KILLS_MAX = 1_000;

  /// Where claims are where the system has such a folder; it is empty after each start.
  public static final Path SYSTEM = Path.of("/run/runyard/users");

  private static final String LOCK = "lock";
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /// A process has a file's lock once, whichever of its threads took it.
  private static final ReentrantLock ONE_OF_US = new ReentrantLock();

  private final Path folder;
  private final IntPredicate foreign;
  private final SharedRemains shared;
  private final Turns turns;

  /// @param folder of the claims
  /// @param foreign true of a user that somebody else has given a name
  UserClaims(Path folder, IntPredicate foreign, SharedRemains shared) {
    this.folder = folder;
    this.foreign = foreign;
    this.shared = shared;
    this.turns = new Turns(folder);
  }

  /// The claims of this machine; those of this runner alone where its system's folders cannot be
  /// written, as in a container.
  static UserClaims here(Path work, IntPredicate foreign) throws IOException {
    try {
      return new UserClaims(
          Files.createDirectories(SYSTEM, OWNER_ONLY), foreign, SharedRemains.HERE);
    } catch (IOException _) {
      return new UserClaims(
          Files.createDirectories(work.toAbsolutePath().resolve("users"), OWNER_ONLY),
          foreign,
          SharedRemains.HERE);
    }
  }

  /// The line of a claim's file that names the stack.
  public static String line(String stack) {
    return UserClaim.STACK + stack;
  }

  /// Takes the user that nobody has had for longest, for an attempt.
  ///
  /// @throws IOException also when there is none
  AgentUser take(String stack, String mark, List<Path> folders) throws IOException {
    return locked(
        () -> {
          Set<Integer> taken = new HashSet<>();
          for (Path file : files()) {
            UserClaim claim = UserClaim.read(file);
            if (claim.runner().isAlive() || !couldEmpty(claim)) {
              taken.add(claim.uid());
            }
          }
          for (int uid : turns.all()) {
            if (!taken.contains(uid) && !foreign.test(uid) && !UserProcesses.any(uid)) {
              write(new UserClaim(uid, ProcessStart.self(), stack, mark, folders));
              return new AgentUser(uid);
            }
          }
          throw new IOException("all users of attempts are taken");
        });
  }

  /// Ends what the user still has and gives it back; false if something is left, so that it stays
  /// taken.
  boolean giveBack(AgentUser user) throws IOException {
    return locked(
        () -> {
          Path file = file(user.uid());
          return !Files.exists(file) || emptied(UserClaim.read(file));
        });
  }

  /// Ends what runners left that are dead, and removes what users left whom nobody has; returns how
  /// many of those that somebody had still had a process.
  public int sweep() {
    int ended = end(claim -> !claim.runner().isAlive());
    try {
      locked(this::removedOfNobody);
    } catch (IOException e) {
      throw new UncheckedIOException("the places that users share cannot be cleaned", e);
    }
    return ended;
  }

  /// Claims are gone after a start of the machine, `/var/tmp` is not.
  private boolean removedOfNobody() throws IOException {
    Set<Integer> nobodys = new HashSet<>(turns.all());
    nobodys.removeIf(foreign::test);
    for (Path file : files()) {
      nobodys.remove(UserClaim.read(file).uid());
    }
    nobodys.removeAll(UserProcesses.of(nobodys).keySet());
    shared.finish();
    return shared.removed(nobodys);
  }

  /// Ends what attempts with these marks have, whether their runner is alive or not; returns how
  /// many users had something.
  public int endMarked(Predicate<String> marks) {
    return end(claim -> marks.test(claim.mark()));
  }

  private int end(Predicate<UserClaim> which) {
    try {
      return locked(
          () -> {
            int ended = 0;
            for (Path file : files()) {
              UserClaim claim = UserClaim.read(file);
              if (which.test(claim)) {
                ended += UserProcesses.any(claim.uid()) ? 1 : 0;
                kill(new AgentUser(claim.uid()));
                if (!claim.runner().isAlive()) {
                  couldEmpty(claim);
                }
              }
            }
            return ended;
          });
    } catch (IOException e) {
      throw new UncheckedIOException("the users of attempts cannot be read", e);
    }
  }

  /// True when the user has nothing left, and its claim is gone.
  private boolean emptied(UserClaim claim) throws IOException {
    if (!kill(new AgentUser(claim.uid()))) {
      return false;
    }
    if (!IpcObjects.removed(new AgentUser(claim.uid())) || !shared.removed(Set.of(claim.uid()))) {
      return false;
    }
    for (Path left : claim.folders()) {
      Removal.finish(left);
      new AgentUser(claim.uid()).takeBack(left);
    }
    turns.last(claim.uid());
    Files.deleteIfExists(file(claim.uid()));
    return true;
  }

  /// The same; what is in the way of one user is in nobody else's.
  private boolean couldEmpty(UserClaim claim) {
    try {
      return emptied(claim);
    } catch (IOException _) {
      return false;
    }
  }

  /// Kills until nothing is left; false if something will not die.
  private static boolean kill(AgentUser user) {
    for (int i = 0; i < KILLS_MAX; i++) {
      if (!UserProcesses.any(user.uid())) {
        return true;
      }
      user.killAll();
    }
    return !UserProcesses.any(user.uid());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> Character.isDigit(String.valueOf(file.getFileName()).charAt(0)))
          .sorted()
          .toList();
    }
  }

  private void write(UserClaim claim) throws IOException {
    Path draft = folder.resolve("draft");
    Files.writeString(draft, claim.text());
    try {
      Files.move(draft, file(claim.uid()), StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException("the folder of claims cannot be used", e);
    }
  }

  private Path file(int uid) {
    return folder.resolve(Integer.toString(uid));
  }

  /// Work that only one thread of one process does at a time.
  @FunctionalInterface
  private interface Work<T> {
    T done() throws IOException;
  }

  private <T> T locked(Work<T> work) throws IOException {
    ONE_OF_US.lock();
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = channel.lock()) {
      return work.done();
    } finally {
      ONE_OF_US.unlock();
    }
  }
}
