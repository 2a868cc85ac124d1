/// Runs the handler classes the template names, with a Lambda context, as the managed runtime does.
@NullMarked
package dev.runyard.local.function;

import org.jspecify.annotations.NullMarked;
