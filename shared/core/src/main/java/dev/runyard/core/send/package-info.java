/// Sending a running agent a message.
@NullMarked
package dev.runyard.core.send;

import org.jspecify.annotations.NullMarked;
