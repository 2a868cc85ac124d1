package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Repository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the pages name exists: files and their sections, tests and constants.
final class ReferencesTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^):]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
  private static final Pattern TEST =
      Pattern.compile("`([A-Z]\\w*(?:Test|IT|Contract))(?:\\.(\\w+))?`");
  private static final Pattern CONSTANT = Pattern.compile("`([A-Z]\\w*\\.[A-Z][A-Z0-9_]+)`");

  @Gate
  @Breach(in = "docs/planted.md", by = "[a](gone.md)", named = "docs/planted.md: gone.md")
  @Breach(in = "docs/planted.md", by = "[a](limits.md#gone)", named = "limits.md#gone")
  @Breach(in = "docs/planted.md", by = "# Here\n[a](#there)", named = "docs/planted.md: #there")
  @Breach(
      in = "docs/backends.md",
      replace = "## The manifest",
      by = "## Manifests",
      named = "backends.md#the-manifest")
  void everyLinkLeadsToAPlace(Repository repository) {
    List<String> broken = new ArrayList<>();
    inPages(
        repository,
        LINK,
        (page, link) -> {
          String file = link.group(1).isEmpty() ? page : beside(page, link.group(1));
          if (!repository.has(file) || !hasSection(repository, file, link.group(2))) {
            broken.add(page + ": " + link.group().replaceAll("[\\](]|\\)$", ""));
          }
        });
    assertEquals(List.of(), broken);
  }

  @Gate
  @Breach(in = "docs/planted.md", by = "`GoneTest`", named = "docs/planted.md: `GoneTest`")
  @Breach(in = "docs/planted.md", by = "`FormatTest.gone`", named = "`FormatTest.gone`")
  void everyTestThatIsNamedExists(Repository repository) {
    List<String> missing = new ArrayList<>();
    inPages(
        repository,
        TEST,
        (page, test) -> {
          if (!exists(repository, test.group(1), test.group(2))) {
            missing.add(page + ": " + test.group());
          }
        });
    assertEquals(List.of(), missing);
  }

  @Gate
  @Breach(in = "docs/planted.md", by = "`Limits.GONE_MAX`", named = "Limits.GONE_MAX")
  @Breach(in = "docs/planted.md", by = "`NoLimits.GONE_MAX`", named = "NoLimits")
  void everyConstantThatIsNamedHasAValue(Repository repository) {
    inPages(
        repository,
        CONSTANT,
        (page, constant) ->
            assertFalse(Constants.value(repository, constant.group(1)).isEmpty(), page));
  }

  private static void inPages(
      Repository repository, Pattern named, BiConsumer<String, MatchResult> judge) {
    List<String> pages = repository.files(".md");
    assertFalse(pages.isEmpty());
    for (String page : pages) {
      named.matcher(repository.text(page)).results().forEach(found -> judge.accept(page, found));
    }
  }

  private static String beside(String page, String link) {
    return Path.of(page).resolveSibling(link).normalize().toString();
  }

  private static boolean hasSection(Repository repository, String file, @Nullable String section) {
    return section == null
        || HEADING
            .matcher(repository.text(file))
            .results()
            .anyMatch(heading -> anchor(heading.group(1)).equals(section));
  }

  /// The name under which a page that is shown can be entered at a heading.
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\d _-]", "").replace(' ', '-');
  }

  private static boolean exists(Repository repository, String type, @Nullable String method) {
    return repository.files("/" + type + ".java").stream()
        .anyMatch(
            source -> method == null || repository.text(source).contains(" void " + method + "("));
  }
}
