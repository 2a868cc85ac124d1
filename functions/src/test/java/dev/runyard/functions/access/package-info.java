@NullMarked
package dev.runyard.functions.access;

import org.jspecify.annotations.NullMarked;
