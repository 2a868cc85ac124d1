/// The runners that exist, and how many there should be.
@NullMarked
package dev.runyard.core.fleet;

import org.jspecify.annotations.NullMarked;
