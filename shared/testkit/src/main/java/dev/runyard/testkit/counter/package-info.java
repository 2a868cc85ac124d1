/// Counters: a second kind of stream, made of these files alone. It shows that the log takes
/// streams of any kind, and what one more costs.
@NullMarked
package dev.runyard.testkit.counter;

import org.jspecify.annotations.NullMarked;
