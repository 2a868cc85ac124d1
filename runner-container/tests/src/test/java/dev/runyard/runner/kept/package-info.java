@NullMarked
package dev.runyard.runner.kept;

import org.jspecify.annotations.NullMarked;
