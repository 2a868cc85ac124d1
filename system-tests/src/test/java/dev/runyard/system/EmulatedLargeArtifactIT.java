package dev.runyard.system;

import java.io.IOException;

/// The same on emulators: large files are got from a bucket, at an address that a function signed.
final class EmulatedLargeArtifactIT extends LargeArtifactIT {
  @Override
  SystemStack up(StackFolder own, String... options) throws IOException, InterruptedException {
    return SystemStack.emulated(own, options);
  }
}
