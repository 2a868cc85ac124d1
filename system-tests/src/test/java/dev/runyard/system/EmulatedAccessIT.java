package dev.runyard.system;

import java.io.IOException;

/// The same on emulators, where each function has only the rights of its role.
class EmulatedAccessIT extends AccessIT {
  @Override
  SystemStack up(StackFolder folder, String... options) throws IOException, InterruptedException {
    return SystemStack.emulated(folder, options);
  }
}
