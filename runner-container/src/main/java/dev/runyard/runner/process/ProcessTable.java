package dev.runyard.runner.process;

import java.util.List;
import java.util.Optional;

/// The processes of this machine, and how to signal them.
interface ProcessTable {

  /// Every process, including zombies.
  ///
  /// Marks are read only of processes started at `marksSinceTicks` or later: reading them is most
  /// of the cost, and no process older than its root belongs to a tree.
  List<ProcessEntry> snapshot(long marksSinceTicks);

  /// The process that currently has this number, without its mark.
  Optional<ProcessEntry> find(int pid);

  /// The number of the calling process.
  int self();

  /// Sends to one process; nothing happens when it is gone.
  void signal(int pid, Signal signal);

  /// Sends to all processes of a group in one step, which none of them can outrun by forking.
  void signalGroup(int group, Signal signal);
}
