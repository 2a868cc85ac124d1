@NullMarked
package dev.runyard.runner.process;

import org.jspecify.annotations.NullMarked;
