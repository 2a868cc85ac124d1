/// The in-memory twins of the ports, and a settable clock, for the tests of every module, the
/// simulator and the benchmarks. They are in the same module as the ports because the tests of the
/// use cases need them; deployed code does not use them, and no archive contains them.
@NullMarked
package dev.runyard.core.memory;

import org.jspecify.annotations.NullMarked;
