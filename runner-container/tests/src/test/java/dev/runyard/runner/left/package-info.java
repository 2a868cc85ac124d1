@NullMarked
package dev.runyard.runner.left;

import org.jspecify.annotations.NullMarked;
