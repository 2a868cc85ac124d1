/// What each genuine agent CLI can do as a run, found out over HTTP.
@NullMarked
package dev.runyard.system.matrix;

import org.jspecify.annotations.NullMarked;
