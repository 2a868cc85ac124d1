@NullMarked
package dev.runyard.bench;

import org.jspecify.annotations.NullMarked;
