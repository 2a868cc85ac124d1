package dev.runyard.system;

import java.io.IOException;

/// The same on emulators: the files go to a bucket by an address that a function signed.
final class EmulatedFolderRunIT extends FolderRunIT {
  @Override
  SystemStack up(StackFolder own) throws IOException, InterruptedException {
    return SystemStack.emulated(own);
  }
}
