/// The local stack: what template.yaml declares, on this machine, in one process.
@NullMarked
package dev.runyard.local;

import org.jspecify.annotations.NullMarked;
