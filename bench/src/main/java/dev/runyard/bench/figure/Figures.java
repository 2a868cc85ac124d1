package dev.runyard.bench.figure;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Writes figures, as a table to read and as JSON to compare.
public final class Figures {
  private static final int NAME_CHARS = 44;

  private Figures() {}

  /// The table's line for one figure.
  public static String line(Figure figure) {
    return "%-9s %-44s %12s %-6s %s"
        .formatted(
            figure.section(),
            figure.name().length() > NAME_CHARS
                ? figure.name().substring(0, NAME_CHARS)
                : figure.name(),
            number(figure.value()),
            figure.unit(),
            figure.note())
        .stripTrailing();
  }

  public static void save(Path file, List<Figure> figures) throws IOException {
    Files.write(
        file,
        JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsBytes(figures));
  }

  /// Three digits that matter, more where the number has them before its point.
  public static String number(double value) {
    double size = Math.abs(value);
    int decimals = size == 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
