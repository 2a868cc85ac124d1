/// The in-memory twins of the ports, and a clock that is set.
@NullMarked
package dev.runyard.testkit.memory;

import org.jspecify.annotations.NullMarked;
