/// What a tenant may use: limits, what counts against them, and which of its runs have a place.
@NullMarked
package dev.runyard.core.quota;

import org.jspecify.annotations.NullMarked;
