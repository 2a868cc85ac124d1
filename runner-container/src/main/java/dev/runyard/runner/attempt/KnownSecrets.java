package dev.runyard.runner.attempt;

import dev.runyard.runner.backend.Redaction;
import dev.runyard.runner.change.Secrets;
import java.io.IOException;

/// The secrets that are cut out of what the attempt's agent says, and the files that have lost
/// some.
record KnownSecrets(Redaction redaction) implements Secrets {
  @Override
  public boolean in(Content content) throws IOException {
    return redaction.isIn(content.open())
        || (!redaction.altered().isEmpty() && redaction.altered().isOne(content.open()));
  }

  @Override
  public String without(String text) {
    return redaction.text(text);
  }

  @Override
  public boolean altered(String path) {
    return redaction.altered().has(path);
  }
}
