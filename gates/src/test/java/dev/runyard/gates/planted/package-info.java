/// Code that breaks a rule on purpose, so that its gate can be seen to find it.
@NullMarked
package dev.runyard.gates.planted;

import org.jspecify.annotations.NullMarked;
