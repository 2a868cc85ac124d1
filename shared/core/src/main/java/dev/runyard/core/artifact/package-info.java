/// Bytes too large for the event log, kept beside it.
@NullMarked
package dev.runyard.core.artifact;

import org.jspecify.annotations.NullMarked;
