package dev.runyard.gates.planted.lower;

import dev.runyard.gates.planted.upper.Upper;

/// The other half.
public interface Lower {
  Upper upper();
}
