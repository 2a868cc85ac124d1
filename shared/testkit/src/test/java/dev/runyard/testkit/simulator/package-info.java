@NullMarked
package dev.runyard.testkit.simulator;

import org.jspecify.annotations.NullMarked;
