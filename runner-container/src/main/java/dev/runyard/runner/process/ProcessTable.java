package dev.runyard.runner.process;

import java.util.List;
import java.util.Optional;

/// The processes of this machine, and how to signal them.
interface ProcessTable {

  /// Every process there is, dead ones that are not yet collected included.
  List<ProcessEntry> snapshot();

  /// The process that has this number now.
  Optional<ProcessEntry> find(int pid);

  /// The number of the process that asks.
  int self();

  /// Sends to one process; nothing happens when it is gone.
  void signal(int pid, Signal signal);

  /// Sends to all processes of a group in one step, which none of them can outrun by forking.
  void signalGroup(int group, Signal signal);
}
