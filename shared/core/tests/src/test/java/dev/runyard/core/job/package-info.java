/// Tests of jobs.
@NullMarked
package dev.runyard.core.job;

import org.jspecify.annotations.NullMarked;
