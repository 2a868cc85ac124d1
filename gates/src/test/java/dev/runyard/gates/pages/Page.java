package dev.runyard.gates.pages;

import dev.runyard.gates.Repository;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A Markdown page of the project.
public record Page(String text) {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /// The page at `path`, relative to the folder that holds template.yaml.
  public static Page of(Repository repository, String path) {
    return new Page(repository.text(path));
  }

  /// The rows of the first table in the section of this title, cells stripped, without its head.
  List<List<String>> table(String title) {
    return tableUnder("## " + title);
  }

  /// The same for a heading of any level, with its hashes.
  public List<List<String>> tableUnder(String heading) {
    String level = heading.substring(0, heading.indexOf(' ') + 1);
    List<String> lines =
        text.lines()
            .dropWhile(line -> !line.equals(heading))
            .skip(1)
            .takeWhile(line -> !line.startsWith(level))
            .dropWhile(line -> !line.startsWith("|"))
            .takeWhile(line -> line.startsWith("|"))
            .skip(2)
            .toList();
    if (lines.isEmpty()) {
      throw new AssertionError("no table under " + heading);
    }
    return lines.stream().map(Page::cells).toList();
  }

  /// The first block of JSON on the page.
  String json() {
    Matcher block = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL).matcher(text);
    if (!block.find()) {
      throw new AssertionError("no block of JSON");
    }
    return block.group(1).strip();
  }

  /// What stands between backticks in a cell.
  public static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>(Arrays.asList(line.split("\\|", -1)));
    return cells.subList(1, cells.size() - 1).stream().map(String::strip).toList();
  }
}
