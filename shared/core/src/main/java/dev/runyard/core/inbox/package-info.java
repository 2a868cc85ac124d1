/// Sending a running agent a message.
@NullMarked
package dev.runyard.core.inbox;

import org.jspecify.annotations.NullMarked;
