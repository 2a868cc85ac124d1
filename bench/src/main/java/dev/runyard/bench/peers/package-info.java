/// Other systems on this machine, measured in turn with Runyard: how they are installed, started
/// and given work.
@NullMarked
package dev.runyard.bench.peers;

import org.jspecify.annotations.NullMarked;
