/// The files that runs leave, stored for later runs of their session and of their tenant.
@NullMarked
package dev.runyard.runner.left;

import org.jspecify.annotations.NullMarked;
