@NullMarked
package dev.runyard.embedded;

import org.jspecify.annotations.NullMarked;
