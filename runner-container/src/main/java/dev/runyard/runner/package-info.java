@NullMarked
package dev.runyard.runner;

import org.jspecify.annotations.NullMarked;
