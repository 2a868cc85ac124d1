@NullMarked
package dev.runyard.gates.planted.upper;

import org.jspecify.annotations.NullMarked;
