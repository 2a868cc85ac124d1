/// The runner's own log.
@NullMarked
package dev.runyard.runner.log;

import org.jspecify.annotations.NullMarked;
