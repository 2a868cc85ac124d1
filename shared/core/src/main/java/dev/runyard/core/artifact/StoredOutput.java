package dev.runyard.core.artifact;

import dev.runyard.core.ids.RunKey;
import java.util.regex.Pattern;

/// Where an output of a run is that no event has room for. Its key is made of the run and of an id
/// without any path in it, so that no id leads to another run, or to anything else that is kept.
///
/// @param id unique within the run; what events call `outputRef`
public record StoredOutput(RunKey run, String id) {
  /// One output that is kept: small enough that a function can answer with it, however much of it
  /// JSON has to escape.
  public static final int OUTPUT_BYTES_MAX = 768 * 1024;

  /// Outputs of one attempt that are kept, and all of their bytes.
  public static final int OUTPUTS_MAX = 500;

  public static final int OUTPUTS_BYTES_MAX = 64 * 1024 * 1024;

  /// What an output is: it is told as text, whatever a tool wrote.
  public static final String CONTENT_TYPE = "text/plain; charset=utf-8";

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  public StoredOutput {
    if (!isId(id)) {
      throw new IllegalArgumentException("not an output id: " + id);
    }
  }

  /// True for a text that can name an output.
  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /// The key in the artifact store: `<tenant>/runs/<runId>/outputs/<id>`.
  public String key() {
    return "%s/runs/%s/outputs/%s".formatted(run.tenant(), run.runId(), id);
  }
}
