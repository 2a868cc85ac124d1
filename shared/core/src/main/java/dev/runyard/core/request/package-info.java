/// What a run was asked to do: its prompt, its bounds, its retries.
@NullMarked
package dev.runyard.core.request;

import org.jspecify.annotations.NullMarked;
