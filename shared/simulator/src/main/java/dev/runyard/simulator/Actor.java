package dev.runyard.simulator;

import java.time.Instant;

/// A process of the simulated system. It does one thing at a time, and any port call of it may be
/// its last.
interface Actor {
  /// The earliest time at which it has something to do.
  Instant nextAt();

  /// Does one thing.
  void act();

  /// The process died in the middle of [#act]; whatever it held in memory is gone.
  void crashed();

  /// Whose calls it makes.
  SimulatedCaller caller();
}
