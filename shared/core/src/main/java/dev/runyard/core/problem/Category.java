package dev.runyard.core.problem;

/// Who can fix a failure: the caller, the agent's backend, whoever adds capacity, or Runyard
/// itself.
public enum Category {
  CALLER,
  BACKEND,
  CAPACITY,
  INTERNAL
}
