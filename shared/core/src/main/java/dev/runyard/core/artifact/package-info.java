/// Objects too large for the event log.
@NullMarked
package dev.runyard.core.artifact;

import org.jspecify.annotations.NullMarked;
