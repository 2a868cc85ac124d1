package dev.runyard.system;

import java.io.IOException;

/// The same on emulators, whose roles may do what the template grants them.
final class EmulatedRunsIT extends RunsIT {
  @Override
  SystemStack up(StackFolder folder, String... options) throws IOException, InterruptedException {
    return SystemStack.emulated(folder, options);
  }
}
