/// Event source mappings: what a stream, a queue or a schedule delivers to a function, when, and
/// what happens when the function fails, as in Lambda.
@NullMarked
package dev.runyard.local.events;

import org.jspecify.annotations.NullMarked;
