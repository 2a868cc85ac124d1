/// The state of a run: what a command does to it, and how events fold into it.
@NullMarked
package dev.runyard.core.run;

import org.jspecify.annotations.NullMarked;
