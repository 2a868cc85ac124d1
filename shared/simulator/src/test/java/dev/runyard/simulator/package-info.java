@NullMarked
package dev.runyard.simulator;

import org.jspecify.annotations.NullMarked;
