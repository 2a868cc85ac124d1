package dev.runyard.cli;

import dev.runyard.core.release.Release;
import picocli.CommandLine.IVersionProvider;

/// The version of this build.
final class Version implements IVersionProvider {
  static String number() {
    return Release.number();
  }

  @Override
  public String[] getVersion() {
    return new String[] {"runyard " + number() + " (Java " + Runtime.version() + ")"};
  }
}
