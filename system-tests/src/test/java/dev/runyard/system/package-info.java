/// The system tests: the whole stack of template.yaml as a separate process, with real runner
/// processes, used only over HTTP. One suite for every emulator, see [Emulator].
@NullMarked
package dev.runyard.system;

import org.jspecify.annotations.NullMarked;
