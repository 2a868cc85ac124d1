@NullMarked
package dev.runyard.testkit.memory;

import org.jspecify.annotations.NullMarked;
