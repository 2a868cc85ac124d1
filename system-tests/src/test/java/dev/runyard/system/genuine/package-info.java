/// The genuine agent CLIs, as users install them, each through its backend and without a stack.
@NullMarked
package dev.runyard.system.genuine;

import org.jspecify.annotations.NullMarked;
