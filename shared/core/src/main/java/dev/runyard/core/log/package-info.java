/// The event log: the port, chunks, cursors, and commands executed on a stream, which runs are one
/// kind of.
@NullMarked
package dev.runyard.core.log;

import org.jspecify.annotations.NullMarked;
