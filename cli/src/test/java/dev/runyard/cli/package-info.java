@NullMarked
package dev.runyard.cli;

import org.jspecify.annotations.NullMarked;
