@NullMarked
package dev.runyard.core.submit;

import org.jspecify.annotations.NullMarked;
