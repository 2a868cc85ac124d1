@NullMarked
package dev.runyard.runner.loopback;

import org.jspecify.annotations.NullMarked;
