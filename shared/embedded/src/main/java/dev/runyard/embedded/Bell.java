package dev.runyard.embedded;

/// What a write rings once what it wrote is there to be read. Equal bells are rung once for all
/// writes of a transaction.
@FunctionalInterface
interface Bell {
  void ring();
}
