package dev.runyard.runner.isolation;

import dev.runyard.runner.machine.ProcessStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/// Which users of attempts are taken on this machine, by whichever runner: one file each, in a
/// folder of the runner's user.
///
/// A file is there before the user has its first process or file, and until it has none. So a user
/// without a file has nothing, and what a user has whose runner is dead is left over.
public final class UserClaims {
  /// Where claims are where the system has such a folder; it is empty after each start.
  public static final Path SYSTEM = Path.of("/run/runyard/users");

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final ClaimFolder claims;
  private final IntPredicate foreign;
  private final SharedRemains shared;
  private final UserReturns returns;

  /// @param folder of the claims
  /// @param foreign true of a user that somebody else has given a name
  UserClaims(Path folder, IntPredicate foreign, SharedRemains shared) {
    this.claims = new ClaimFolder(folder);
    this.foreign = foreign;
    this.shared = shared;
    this.returns = new UserReturns(claims, shared);
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
  UserClaim take(String stack, String mark, List<Path> folders) throws IOException {
    try {
      returns.finishUnlessBusy();
    } catch (IOException _) {
      // What waits goes on waiting; whoever begins now has nothing to do with it.
    }
    return claims.locked(
        () -> {
          Set<Integer> taken = new HashSet<>();
          claims.all().forEach(claim -> taken.add(claim.uid()));
          for (int uid : claims.turns()) {
            if (!taken.contains(uid) && !foreign.test(uid) && !UserProcesses.any(uid)) {
              UserClaim claim = new UserClaim(uid, ProcessStart.self(), stack, mark, folders);
              claims.write(claim);
              return claim;
            }
          }
          throw new IOException("all users of attempts are taken");
        });
  }

  /// Ends what the user still has, and gives it back at once or when that is safe; false if
  /// something of its own is left, so that it stays taken for now.
  boolean giveBack(UserClaim claim) throws IOException {
    return returns.giveBack(claim);
  }

  /// Ends what runners left that are dead, and removes what users left whom nobody has; returns how
  /// many of those that somebody had still had a process.
  public int sweep() {
    int ended = end(claim -> !claim.runner().isAlive());
    try {
      claims.locked(this::removedOfNobody);
    } catch (IOException e) {
      throw new UncheckedIOException("the places that users share cannot be cleaned", e);
    }
    return ended;
  }

  /// Claims are gone after a start of the machine, `/var/tmp` is not. Nobody may take these users
  /// meanwhile, so what others have there is searched within bounds only.
  private SharedRemains.Found removedOfNobody() throws IOException {
    Set<Integer> nobodys = new HashSet<>(claims.turns());
    nobodys.removeIf(foreign::test);
    claims.all().forEach(claim -> nobodys.remove(claim.uid()));
    nobodys.removeAll(UserProcesses.of(nobodys).keySet());
    shared.finish();
    return shared.remove(nobodys, SharedRemains.ENTRIES_MAX);
  }

  /// Ends what attempts with these marks have, whether their runner is alive or not; returns how
  /// many users had something.
  public int endMarked(Predicate<String> marks) {
    return end(claim -> marks.test(claim.mark()));
  }

  /// Kills under the lock, so that nobody else is one of these users by then, and waits without it.
  private int end(Predicate<UserClaim> which) {
    try {
      List<AgentUser> ended =
          claims.locked(
              () -> {
                List<AgentUser> had = new ArrayList<>();
                for (UserClaim claim : claims.all()) {
                  if (which.test(claim) && UserProcesses.any(claim.uid())) {
                    claim.user().killAll();
                    had.add(claim.user());
                  }
                }
                return had;
              });
      UserKill.Brief brief = new UserKill.Brief();
      ended.forEach(brief::await);
      returns.finish(brief);
      return ended.size();
    } catch (IOException e) {
      throw new UncheckedIOException("the users of attempts cannot be read", e);
    }
  }
}
