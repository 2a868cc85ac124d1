@NullMarked
package dev.runyard.core.run;

import org.jspecify.annotations.NullMarked;
