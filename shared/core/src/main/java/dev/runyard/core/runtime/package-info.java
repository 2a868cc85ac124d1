/// The commands of the Agent Runtime standard.
@NullMarked
package dev.runyard.core.runtime;

import org.jspecify.annotations.NullMarked;
