@NullMarked
package dev.runyard.core.quota;

import org.jspecify.annotations.NullMarked;
