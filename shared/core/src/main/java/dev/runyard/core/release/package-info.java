/// Which release of Runyard this is.
@NullMarked
package dev.runyard.core.release;

import org.jspecify.annotations.NullMarked;
