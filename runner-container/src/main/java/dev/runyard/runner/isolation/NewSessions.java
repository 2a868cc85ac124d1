package dev.runyard.runner.isolation;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Finds the sessions that users of attempts open, soon after they do. Each begins without giving
/// way, so whoever opens one after the other would be as important as the runner until the next
/// whole look of the watch. This one reads nothing while no process begins, and then only what has
/// begun. Not thread-safe.
final class NewSessions {
  /// More new processes than this between two looks are left to the next whole look, so that a bomb
  /// cannot make this one long.
  static final int PROCESSES_MAX = 1_000;

  private int before;
  private int last;

  /// @param newest the number that was given to a process or thread last
  NewSessions(int newest) {
    before = newest;
    last = newest;
  }

  /// One process of each session that one of the users has opened lately, by the session's id, by
  /// its user. Each process is looked at twice, because it is there before it opens a session.
  ///
  /// @param newest that number now. After the highest one the kernel begins with low ones again,
  ///   and there is nothing between until the next look
  Map<Integer, Map<Integer, Integer>> look(Set<Integer> uids, int newest) {
    Map<Integer, Map<Integer, Integer>> found = new HashMap<>();
    if (newest - before <= PROCESSES_MAX) {
      for (int pid = before + 1; pid <= newest; pid++) {
        add(pid, uids, found);
      }
    }
    before = last;
    last = newest;
    return found;
  }

  private static void add(int pid, Set<Integer> uids, Map<Integer, Map<Integer, Integer>> found) {
    if (SystemCalls.session(pid) == pid) {
      int uid = UserProcesses.owner(pid);
      if (uids.contains(uid)) {
        found.computeIfAbsent(uid, _ -> new HashMap<>()).put(pid, pid);
      }
    }
  }
}
