/// What the repository must hold to as a whole: who may use whom, how sources look, which files are
/// there. Each package below compares one thing with the code.
@NullMarked
package dev.runyard.gates;

import org.jspecify.annotations.NullMarked;
