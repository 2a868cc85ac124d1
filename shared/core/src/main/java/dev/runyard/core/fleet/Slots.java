package dev.runyard.core.fleet;

/// The slots of the fleet and why runners do not start, where every function and runner finds them.
/// One writer at a time wins; the others read again.
public interface Slots {
  /// What is there now, never less than was written.
  Fleet read();

  /// Puts a slot in the place of the version before its own. False when somebody else has written
  /// since.
  boolean write(Slot slot);

  /// The same for what is known of failing starts.
  boolean write(StartTrouble trouble);
}
