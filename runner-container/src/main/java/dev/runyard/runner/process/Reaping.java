package dev.runyard.runner.process;

import java.util.List;

/// The result of ending a process tree.
///
/// `found` counts the processes alive when it began, but of those that are killed as a whole only
/// what that left; `forced` says that some had to be killed outright; `left` are the process ids
/// that outlived every attempt, for instance processes stuck in the kernel.
public record Reaping(int found, boolean forced, List<Long> left) {

  static final Reaping NOTHING_FOUND = new Reaping(0, false, List.of());

  public Reaping {
    left = List.copyOf(left);
  }

  /// Whether no process of the tree is left.
  public boolean complete() {
    return left.isEmpty();
  }
}
