/// A day of many runs, computed: how much of each limit of AWS and of Runyard it uses.
@NullMarked
package dev.runyard.bench.scale;

import org.jspecify.annotations.NullMarked;
