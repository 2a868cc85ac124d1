/// The read models, and the use case that updates them from the log.
@NullMarked
package dev.runyard.core.projection;

import org.jspecify.annotations.NullMarked;
