/// What `./runyard demo` needs besides the stack: its agents file, folders and timings.
@NullMarked
package dev.runyard.cli.demo;

import org.jspecify.annotations.NullMarked;
