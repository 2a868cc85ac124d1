/// Structured messages: what clients send and agents answer, and how the log stores both.
@NullMarked
package dev.runyard.core.message;

import org.jspecify.annotations.NullMarked;
