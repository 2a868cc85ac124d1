/// The operator's secrets: where each is kept, and what comes of asking for it.
@NullMarked
package dev.runyard.core.secret;

import org.jspecify.annotations.NullMarked;
