/// Jobs: many requests that differ in a few members, each of which becomes a run.
@NullMarked
package dev.runyard.core.job;

import org.jspecify.annotations.NullMarked;
