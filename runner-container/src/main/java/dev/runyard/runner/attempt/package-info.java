/// One attempt at a run: its agent prepared, started and kept, its session and files restored.
@NullMarked
package dev.runyard.runner.attempt;

import org.jspecify.annotations.NullMarked;
