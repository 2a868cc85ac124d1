/// The event log: the port, chunks, cursors, and commands executed on a run.
@NullMarked
package dev.runyard.core.log;

import org.jspecify.annotations.NullMarked;
