package dev.runyard.runner.process;

import java.util.List;
import java.util.Optional;

/// The processes of this machine, and how to signal them.
interface ProcessTable {

  /// Every process there is, dead ones that are not yet collected included.
  ///
  /// Marks are read of processes started at `marksSinceTicks` or later: reading them is most of the
  /// cost, and nothing older than its root belongs to a tree.
  List<ProcessEntry> snapshot(long marksSinceTicks);

  /// The process that has this number now, its mark not read.
  Optional<ProcessEntry> find(int pid);

  /// The number of the process that asks.
  int self();

  /// Sends to one process; nothing happens when it is gone.
  void signal(int pid, Signal signal);

  /// Sends to all processes of a group in one step, which none of them can outrun by forking.
  void signalGroup(int group, Signal signal);
}
