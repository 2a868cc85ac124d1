/// Processes that die at a call of a port.
@NullMarked
package dev.runyard.core.crash;

import org.jspecify.annotations.NullMarked;
