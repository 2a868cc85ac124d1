package dev.runyard.system.matrix;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// docs/capability-matrix.md: the committed page, or the results of running the matrix.
///
/// @param kinds in the order of their columns
/// @param rows the text of each cell, by title and kind
record MatrixPage(List<String> kinds, SequencedMap<String, Map<String, String>> rows) {
  private static final String HEAD =
      """
      # What each agent CLI can do

      Each cell was tested with the genuine CLI, at the version that `./runyard install` installs, as a run over HTTP on a local stack
      with the scripted model. In each build `MatrixIT` tests the first columns and fails when a cell differs;
      [development.md](development.md#the-capability-matrix) says how to regenerate the page. A dash means that the agent does not offer
      the feature. A row that names a code works if the run fails with that code.
      """;
  private static final String TITLE = "";

  static MatrixPage of(List<Subject> subjects, Map<Trial, Map<String, Cell>> cells) {
    SequencedMap<String, Map<String, String>> rows = new LinkedHashMap<>();
    cells.forEach(
        (trial, row) -> {
          Map<String, String> texts = new LinkedHashMap<>();
          row.forEach((kind, cell) -> texts.put(kind, cell.text()));
          rows.put(trial.title(), texts);
        });
    return new MatrixPage(subjects.stream().map(Subject::kind).toList(), rows);
  }

  /// The page with the columns of `found` replaced.
  MatrixPage with(MatrixPage found) {
    SequencedMap<String, Map<String, String>> merged = new LinkedHashMap<>();
    found.rows.forEach(
        (title, row) -> {
          Map<String, String> cells = new LinkedHashMap<>(rows.getOrDefault(title, Map.of()));
          cells.putAll(row);
          merged.put(title, cells);
        });
    return new MatrixPage(Subject.all().stream().map(Subject::kind).toList(), merged);
  }

  /// The page's text, with the rows of these trials.
  String text(Collection<Trial> trials) {
    Map<Trial.Group, List<String>> groups = new EnumMap<>(Trial.Group.class);
    for (Trial trial : trials) {
      groups.computeIfAbsent(trial.group(), _ -> new ArrayList<>()).add(trial.title());
    }
    StringBuilder text = new StringBuilder(HEAD);
    groups.forEach(
        (group, titles) -> {
          text.append("\n## ").append(group.heading()).append("\n\n");
          line(text, TITLE, kinds.stream().map("`%s`"::formatted).toList());
          line(text, "---", kinds.stream().map(_ -> "---").toList());
          for (String title : titles) {
            Map<String, String> row = rows.getOrDefault(title, Map.of());
            line(text, title, kinds.stream().map(kind -> row.getOrDefault(kind, "")).toList());
          }
        });
    return text.toString();
  }

  /// Reads a written page.
  static MatrixPage read(String text) {
    List<String> kinds = new ArrayList<>();
    SequencedMap<String, Map<String, String>> rows = new LinkedHashMap<>();
    for (String line : text.lines().filter(each -> each.startsWith("|")).toList()) {
      List<String> cells =
          List.of(line.substring(1, line.length() - 1).split("\\|")).stream()
              .map(String::strip)
              .toList();
      List<String> values = cells.subList(1, cells.size());
      if (cells.getFirst().equals(TITLE)) {
        kinds = values.stream().map(value -> value.replace("`", "")).toList();
      } else if (!cells.getFirst().startsWith("---")) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int i = 0; i < kinds.size(); i++) {
          row.put(kinds.get(i), values.get(i));
        }
        rows.put(cells.getFirst(), row);
      }
    }
    return new MatrixPage(kinds, rows);
  }

  /// The page with only these columns.
  MatrixPage only(List<String> some) {
    SequencedMap<String, Map<String, String>> fewer = new LinkedHashMap<>();
    rows.forEach(
        (title, row) -> {
          Map<String, String> kept = new LinkedHashMap<>();
          some.forEach(kind -> kept.put(kind, row.getOrDefault(kind, "")));
          fewer.put(title, kept);
        });
    return new MatrixPage(some, fewer);
  }

  private static void line(StringBuilder text, String title, List<String> cells) {
    text.append("| ").append(title);
    cells.forEach(cell -> text.append(" | ").append(cell));
    text.append(" |\n");
  }
}
