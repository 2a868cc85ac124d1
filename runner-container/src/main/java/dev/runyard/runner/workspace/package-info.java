/// The folder a run works in: made, checked and removed.
@NullMarked
package dev.runyard.runner.workspace;

import org.jspecify.annotations.NullMarked;
