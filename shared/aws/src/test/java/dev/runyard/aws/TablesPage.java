package dev.runyard.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// What docs/tables.md says: the tables with their keys, and the items in them.
final class TablesPage {
  private static final Path PAGE = Path.of("..", "..", "docs", "tables.md");
  private static final Pattern KEY = Pattern.compile("`(\\w+)` ([SNB])");
  private static final Pattern INDEX =
      Pattern.compile("`(\\w+)`: " + KEY + ", " + KEY + ", `(\\w+)`");
  private static final Pattern CODE = Pattern.compile("^`([^`]+)`");

  private TablesPage() {}

  record Key(String attribute, String type) {}

  record Index(String name, Key partition, Key sort, String projection) {}

  record Table(String name, Key partition, Key sort, List<Index> indexes) {}

  /// A kind of item: the types of its attributes, and which keys an item of it has.
  record Item(String heading, Map<String, String> types, Pattern partition, Pattern sort) {
    boolean has(String pk, String sk) {
      return partition.matcher(pk).matches() && sort.matcher(sk).matches();
    }
  }

  static List<Table> tables() {
    return sections().getOrDefault("Keys", List.of()).stream()
        .map(
            row ->
                new Table(
                    row.get(0).replace("`", ""), key(row.get(1)), key(row.get(2)), indexes(row)))
        .toList();
  }

  /// Kinds with a fixed sort key come first: any other key belongs to another kind.
  static List<Item> items() {
    List<Item> spelled = new ArrayList<>();
    List<Item> others = new ArrayList<>();
    sections()
        .forEach(
            (heading, rows) -> {
              if (rows.getFirst().getFirst().equals("`pk`") && rows.getFirst().size() == 4) {
                Map<String, String> types = new TreeMap<>();
                rows.forEach(row -> types.put(row.get(0).replace("`", ""), row.get(1)));
                String sort = rows.get(1).get(3);
                (CODE.matcher(sort).find() ? spelled : others)
                    .add(new Item(heading, types, form(rows.get(0).get(3)), form(sort)));
              }
            });
    spelled.addAll(others);
    return spelled;
  }

  private static Key key(String cell) {
    MatchResult found = KEY.matcher(cell).results().findFirst().orElseThrow();
    return new Key(found.group(1), found.group(2));
  }

  private static List<Index> indexes(List<String> row) {
    return INDEX
        .matcher(row.get(3))
        .results()
        .map(
            found ->
                new Index(
                    found.group(1),
                    new Key(found.group(2), found.group(3)),
                    new Key(found.group(4), found.group(5)),
                    found.group(6)))
        .toList();
  }

  /// The keys a cell describes: its code with any text for each `<name>`, and with any ending if
  /// the cell continues; any key if it begins without code.
  private static Pattern form(String cell) {
    return CODE.matcher(cell)
        .results()
        .findFirst()
        .map(
            code -> {
              String end = code.end() == cell.length() ? "" : ".+";
              return Pattern.compile(code.group(1).replaceAll("<\\w+>", "[^#]+") + end);
            })
        .orElseGet(() -> Pattern.compile(".*"));
  }

  /// The rows of the first table under each heading.
  private static Map<String, List<List<String>>> sections() {
    Map<String, List<List<String>>> sections = new LinkedHashMap<>();
    for (String section : read().split("\n## ", -1)) {
      List<List<String>> rows =
          section
              .lines()
              .dropWhile(line -> !line.startsWith("|"))
              .takeWhile(line -> line.startsWith("|"))
              .skip(2)
              .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
              .map(cells -> cells.subList(1, cells.size() - 1))
              .toList();
      if (!rows.isEmpty()) {
        sections.put(section.lines().findFirst().orElseThrow(), rows);
      }
    }
    return sections;
  }

  private static String read() {
    try {
      return Files.readString(PAGE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
