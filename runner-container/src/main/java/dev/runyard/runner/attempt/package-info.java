@NullMarked
package dev.runyard.runner.attempt;

import org.jspecify.annotations.NullMarked;
