/// One attempt at a run: preparing and starting its agent, and restoring and storing its session
/// and files.
@NullMarked
package dev.runyard.runner.attempt;

import org.jspecify.annotations.NullMarked;
