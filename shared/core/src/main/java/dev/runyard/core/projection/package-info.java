/// The read models, and the use case that keeps them up with the log.
@NullMarked
package dev.runyard.core.projection;

import org.jspecify.annotations.NullMarked;
