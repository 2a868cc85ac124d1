/// What every kind of stream has: events in an envelope, a state they fold into, and rules.
@NullMarked
package dev.runyard.core.stream;

import org.jspecify.annotations.NullMarked;
