/// Seeded histories of the whole system on one thread, with faults, and what must hold after each.
@NullMarked
package dev.runyard.simulator;

import org.jspecify.annotations.NullMarked;
