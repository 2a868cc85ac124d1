@NullMarked
package dev.runyard.core.webhook;

import org.jspecify.annotations.NullMarked;
