/// Structured messages: what clients send and agents answer, and how both are kept in the log.
@NullMarked
package dev.runyard.core.message;

import org.jspecify.annotations.NullMarked;
