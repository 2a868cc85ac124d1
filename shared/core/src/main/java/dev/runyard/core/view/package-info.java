/// Runs and events as JSON for readers.
@NullMarked
package dev.runyard.core.view;

import org.jspecify.annotations.NullMarked;
