@NullMarked
package dev.runyard.core.projection;

import org.jspecify.annotations.NullMarked;
