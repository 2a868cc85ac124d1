/// The events of a run, their names and their JSON form.
@NullMarked
package dev.runyard.core.event;

import org.jspecify.annotations.NullMarked;
