/// The workspaces of runs that wait for a person, stored until they continue.
@NullMarked
package dev.runyard.runner.paused;

import org.jspecify.annotations.NullMarked;
