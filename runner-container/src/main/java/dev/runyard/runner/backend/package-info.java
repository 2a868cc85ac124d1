@NullMarked
package dev.runyard.runner.backend;

import org.jspecify.annotations.NullMarked;
