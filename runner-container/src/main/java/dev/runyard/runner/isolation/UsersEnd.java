package dev.runyard.runner.isolation;

import dev.runyard.runner.machine.SmallJvm;
import java.util.List;
import java.util.stream.Stream;

/// A process that ends all that some users of attempts have.
///
/// A program that becomes one of these users, and then another program that kills, can be killed by
/// them in between: the kernel forgets the saved user of whoever becomes a program. So this one
/// stays root, and becomes the user on a thread.
public final class UsersEnd {
  private UsersEnd() {}

  /// The command to which the users' numbers are to be added. It fails if something of them is
  /// left.
  public static List<String> command() {
    return SmallJvm.command(UsersEnd.class);
  }

  /// Ends them. All are killed before one is waited for: none outruns that by forking.
  public static void main(String[] uids) {
    List<AgentUser> users =
        Stream.of(uids).map(uid -> new AgentUser(Integer.parseInt(uid))).toList();
    users.forEach(AgentUser::killAll);
    boolean left = false;
    for (AgentUser user : users) {
      left |= !UserKill.patiently(user);
    }
    System.exit(left ? 1 : 0);
  }
}
