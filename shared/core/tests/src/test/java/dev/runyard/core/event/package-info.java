@NullMarked
package dev.runyard.core.event;

import org.jspecify.annotations.NullMarked;
