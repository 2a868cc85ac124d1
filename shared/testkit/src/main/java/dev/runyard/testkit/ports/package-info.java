/// Ports of this machine, for tests of what is there and what is not.
@NullMarked
package dev.runyard.testkit.ports;

import org.jspecify.annotations.NullMarked;
