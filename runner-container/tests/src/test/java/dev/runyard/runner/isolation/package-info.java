@NullMarked
package dev.runyard.runner.isolation;

import org.jspecify.annotations.NullMarked;
