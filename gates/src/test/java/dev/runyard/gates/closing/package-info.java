/// What is said of the whole build at its end.
@NullMarked
package dev.runyard.gates.closing;

import org.jspecify.annotations.NullMarked;
