package dev.runyard.core.fleet;

/// The slots of the fleet, and why runners do not start, shared by all functions and runners. Of
/// concurrent writers one wins; the others read again.
public interface Slots {
  /// The current state, which includes every acknowledged write.
  Fleet read();

  /// Replaces the slot's previous version. False when somebody else has written since.
  boolean write(Slot slot);

  /// The same for the record of failing starts.
  boolean write(StartTrouble trouble);
}
