@NullMarked
package dev.runyard.core.ids;

import org.jspecify.annotations.NullMarked;
