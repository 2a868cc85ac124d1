@NullMarked
package dev.runyard.core.queue;

import org.jspecify.annotations.NullMarked;
