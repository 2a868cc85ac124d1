@NullMarked
package dev.runyard.core.drive;

import org.jspecify.annotations.NullMarked;
