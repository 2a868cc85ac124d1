package dev.runyard.core.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/// The release that this build is. Functions, runners and the command line may be of different
/// ones: what they must know of each other is the form of runs, and this is for people.
public final class Release {
  private Release() {}

  private static final class Read {
    static final String NUMBER = read();
  }

  /// Its number, such as 0.1.0.
  public static String number() {
    return Read.NUMBER;
  }

  private static String read() {
    Properties properties = new Properties();
    try (InputStream in = Release.class.getResourceAsStream("release.properties")) {
      properties.load(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Objects.requireNonNull(properties.getProperty("release"));
  }
}
