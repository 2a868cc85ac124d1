/// The state of a run: how commands are decided, and how events fold into it.
@NullMarked
package dev.runyard.core.run;

import org.jspecify.annotations.NullMarked;
