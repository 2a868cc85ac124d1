/// What a run changed in its workspace, as it is kept for people and for later runs.
@NullMarked
package dev.runyard.core.change;

import org.jspecify.annotations.NullMarked;
