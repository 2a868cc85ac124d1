/// What this machine has and lacks, and what to do about it.
@NullMarked
package dev.runyard.cli.doctor;

import org.jspecify.annotations.NullMarked;
