/// Tasks: what is to be done, by whichever runs it takes.
@NullMarked
package dev.runyard.core.task;

import org.jspecify.annotations.NullMarked;
