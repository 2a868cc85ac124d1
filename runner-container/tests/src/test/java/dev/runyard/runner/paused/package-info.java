@NullMarked
package dev.runyard.runner.paused;

import org.jspecify.annotations.NullMarked;
