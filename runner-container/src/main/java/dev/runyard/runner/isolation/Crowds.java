package dev.runyard.runner.isolation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds attempts that want the processors many times over, and has what of them runs give way to
/// other attempts, with all it starts from then on (`SCHED_IDLE`): a thread of another one that
/// wakes goes first, and one that computes gets five times as much. All attempts give way to the
/// runner as far as they can, so to each other they are alike, and the one process of a neighbour
/// would wait for its turn among hundreds that never rest. Not thread-safe.
///
/// An attempt cannot take it back, and neither can the runner without privileges. So it is not for
/// an agent's first process, whose tools these are, unless that is the crowd itself.
final class Crowds {
  /// More running threads than this for each processor are a crowd.
  static final int RUNNING_PER_PROCESSOR_MAX = 3;

  /// Of the time between two looks at threads, the look itself may take the part with this divisor.
  static final int LOOK_PARTS = 20;

  private final int most;
  private final int self = Math.toIntExact(ProcessHandle.current().pid());
  private long next = System.nanoTime();

  Crowds(int processors) {
    most = processors * RUNNING_PER_PROCESSOR_MAX;
  }

  /// Looks at threads if enough of the machine's are running.
  ///
  /// @param running threads of the whole machine
  void look(Set<Integer> uids, int running) {
    if (running <= most || System.nanoTime() - next < 0) {
      return;
    }
    long begin = System.nanoTime();
    find(uids).forEach((uid, threads) -> new AgentUser(uid).idle(threads));
    long end = System.nanoTime();
    next = end + (end - begin) * LOOK_PARTS;
  }

  /// The threads of each crowd that run and do not yet give way to others, by their user.
  Map<Integer, List<Integer>> find(Set<Integer> uids) {
    Map<Integer, List<Integer>> crowds = new HashMap<>();
    UserProcesses.running(uids)
        .forEach(
            (uid, threads) -> {
              long first = threads.stream().filter(thread -> thread.parent() == self).count();
              List<Integer> loud =
                  threads.stream()
                      .filter(thread -> !thread.idle())
                      .filter(thread -> thread.parent() != self || first > most)
                      .map(UserProcesses.Running::thread)
                      .toList();
              if (threads.size() > most && !loud.isEmpty()) {
                crowds.put(uid, loud);
              }
            });
    return crowds;
  }
}
