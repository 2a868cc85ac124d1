/// Wake-ups, from which a runner learns that somebody wants something of its runs.
@NullMarked
package dev.runyard.core.wakeup;

import org.jspecify.annotations.NullMarked;
