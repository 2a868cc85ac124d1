@NullMarked
package dev.runyard.core.secret;

import org.jspecify.annotations.NullMarked;
