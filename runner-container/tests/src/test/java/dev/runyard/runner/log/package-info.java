/// What the runner writes about itself.
@NullMarked
package dev.runyard.runner.log;

import org.jspecify.annotations.NullMarked;
