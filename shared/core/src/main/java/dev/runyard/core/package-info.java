@NullMarked
package dev.runyard.core;

import org.jspecify.annotations.NullMarked;
