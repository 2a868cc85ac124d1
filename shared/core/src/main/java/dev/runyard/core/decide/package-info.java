/// Deciding what an agent needs a person for.
@NullMarked
package dev.runyard.core.decide;

import org.jspecify.annotations.NullMarked;
