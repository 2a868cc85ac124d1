/// Counters: a second kind of stream, in these files only. It shows that the log takes streams of
/// any kind, and what another kind needs.
@NullMarked
package dev.runyard.testkit.counter;

import org.jspecify.annotations.NullMarked;
