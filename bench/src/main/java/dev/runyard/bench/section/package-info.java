/// The sections of the bench: one kind of measurement each.
@NullMarked
package dev.runyard.bench.section;

import org.jspecify.annotations.NullMarked;
