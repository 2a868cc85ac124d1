/// The files a run begins with.
@NullMarked
package dev.runyard.runner.checkout;

import org.jspecify.annotations.NullMarked;
