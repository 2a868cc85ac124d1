/// The function that keeps the read models up with the event log.
@NullMarked
package dev.runyard.functions.project;

import org.jspecify.annotations.NullMarked;
