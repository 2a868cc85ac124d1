/// Processes on Linux: started, read line by line, and ended with all they started.
@NullMarked
package dev.runyard.runner.process;

import org.jspecify.annotations.NullMarked;
