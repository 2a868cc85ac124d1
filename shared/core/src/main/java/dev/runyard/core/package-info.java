/// The domain: events, state, rules, ports and use cases. No I/O and no clock of its own.
@NullMarked
package dev.runyard.core;

import org.jspecify.annotations.NullMarked;
