@NullMarked
package dev.runyard.local.embedded;

import org.jspecify.annotations.NullMarked;
