/// What the runner writes of itself.
@NullMarked
package dev.runyard.runner.log;

import org.jspecify.annotations.NullMarked;
