/// Advances a run: retries it, queues it again or ends it.
@NullMarked
package dev.runyard.core.advance;

import org.jspecify.annotations.NullMarked;
