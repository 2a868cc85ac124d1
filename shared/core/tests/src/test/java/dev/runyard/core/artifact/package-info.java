@NullMarked
package dev.runyard.core.artifact;

import org.jspecify.annotations.NullMarked;
