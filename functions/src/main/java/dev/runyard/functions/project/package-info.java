/// The function that updates the read models when the event log changes.
@NullMarked
package dev.runyard.functions.project;

import org.jspecify.annotations.NullMarked;
