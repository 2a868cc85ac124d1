/// Runs and events as text for a terminal, safe to print whatever an agent wrote.
@NullMarked
package dev.runyard.cli.show;

import org.jspecify.annotations.NullMarked;
