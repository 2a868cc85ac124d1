/// Archives that clients put into the stack for their runs to begin with.
@NullMarked
package dev.runyard.core.upload;

import org.jspecify.annotations.NullMarked;
