@NullMarked
package dev.runyard.core.agent;

import org.jspecify.annotations.NullMarked;
