@NullMarked
package dev.runyard.core.acp;

import org.jspecify.annotations.NullMarked;
