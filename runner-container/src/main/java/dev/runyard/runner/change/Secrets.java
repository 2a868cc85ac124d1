package dev.runyard.runner.change;

import java.io.IOException;
import java.io.InputStream;

/// The secrets an attempt knew, none of which may be in what is kept of its workspace.
public interface Secrets {
  /// No secrets.
  Secrets NONE =
      new Secrets() {
        @Override
        public boolean in(Content content) {
          return false;
        }

        @Override
        public String without(String text) {
          return text;
        }

        @Override
        public boolean altered(String path) {
          return false;
        }
      };

  /// True if the content has one; it is opened as often as needed, and little of it is in memory.
  boolean in(Content content) throws IOException;

  /// What may have one.
  @FunctionalInterface
  interface Content {
    InputStream open() throws IOException;
  }

  /// The text without them.
  String without(String text);

  /// True for a file or link that is not as an agent left it, because it had a secret when it was
  /// kept. Whatever has become of it since, it is told to nobody.
  boolean altered(String path);
}
