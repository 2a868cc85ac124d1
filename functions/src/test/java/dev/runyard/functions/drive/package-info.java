@NullMarked
package dev.runyard.functions.drive;

import org.jspecify.annotations.NullMarked;
