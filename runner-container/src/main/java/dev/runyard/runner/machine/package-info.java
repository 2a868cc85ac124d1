/// What the machine says about its processes.
@NullMarked
package dev.runyard.runner.machine;

import org.jspecify.annotations.NullMarked;
