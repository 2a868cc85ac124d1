/// The in-memory twins of the ports, and a clock that is set: what the tests of every module, the
/// simulator and the benchmark run on. They stand beside the ports because the tests of the use
/// cases need them; nothing that is deployed uses them, and no archive has them.
@NullMarked
package dev.runyard.core.memory;

import org.jspecify.annotations.NullMarked;
