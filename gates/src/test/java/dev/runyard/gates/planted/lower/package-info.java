@NullMarked
package dev.runyard.gates.planted.lower;

import org.jspecify.annotations.NullMarked;
