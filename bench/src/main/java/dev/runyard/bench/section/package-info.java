@NullMarked
package dev.runyard.bench.section;

import org.jspecify.annotations.NullMarked;
