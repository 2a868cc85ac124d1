package dev.runyard.core.artifact;

import dev.runyard.core.ids.RunKey;
import java.util.regex.Pattern;

/// The place of an output that is too large for an event. Its key consists of the run and an id
/// without path characters, so that no id leads to another run or to any other object.
///
/// @param id unique within the run; what events call `outputRef`
public record StoredOutput(RunKey run, String id) {
  /// Most bytes of one stored output: small enough for a function's response, however much of it
  /// JSON has to escape.
  public static final int OUTPUT_BYTES_MAX = 768 * 1024;

  /// Most stored outputs of one attempt, and most bytes of them together.
  public static final int OUTPUTS_MAX = 500;

  public static final int OUTPUTS_BYTES_MAX = 64 * 1024 * 1024;

  /// Content type of every output: it is served as text, whatever a tool wrote.
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
