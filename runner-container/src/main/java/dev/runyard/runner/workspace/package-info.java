/// The folder a run works in: created, checked and removed.
@NullMarked
package dev.runyard.runner.workspace;

import org.jspecify.annotations.NullMarked;
