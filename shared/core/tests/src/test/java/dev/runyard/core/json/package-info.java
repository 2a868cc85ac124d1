@NullMarked
package dev.runyard.core.json;

import org.jspecify.annotations.NullMarked;
