/// What it takes to give a run the files of the one before it.
@NullMarked
package dev.runyard.bench.files;

import org.jspecify.annotations.NullMarked;
