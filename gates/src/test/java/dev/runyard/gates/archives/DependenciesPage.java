package dev.runyard.gates.archives;

import dev.runyard.gates.Repository;
import dev.runyard.gates.pages.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// docs/dependencies.md.
///
/// @param licences by artifact
record DependenciesPage(Map<String, String> licences) {
  private static final Set<String> JUDGED =
      Set.of(
          "Apache-2.0",
          "BSD-2-Clause",
          "BSD-3-Clause",
          "MIT",
          "MIT-0",
          "MPL-2.0",
          "MPL-2.0 or EPL-1.0",
          "EPL-2.0 or Apache-2.0",
          "EPL-2.0 or GPL-2.0 with Classpath exception",
          "DynamoDB Local License Agreement");

  static DependenciesPage of(Repository repository) {
    Map<String, String> licences = new TreeMap<>();
    for (List<String> row :
        Page.of(repository, "docs/dependencies.md")
            .tableUnder("# Dependencies and their licences")) {
      licences.merge(Page.codes(row.getFirst()).getFirst(), row.getLast(), (one, _) -> one);
    }
    return new DependenciesPage(licences);
  }

  /// What is wrong with the page, given what the build resolved.
  ///
  /// @param resolved what each artifact says its licence is; few say any, and those must agree
  List<String> faults(Map<String, String> resolved) {
    List<String> faults = new ArrayList<>();
    resolved.forEach(
        (artifact, stated) -> {
          String licence = licences.get(artifact);
          String words = stated.toLowerCase(Locale.ROOT);
          String expected =
              words.contains("apache") ? "Apache-2.0" : words.matches(".*\\bmit\\b.*") ? "MIT" : "";
          if (licence == null) {
            faults.add(artifact + " is not on the page");
          } else if (!licence.contains(expected)) {
            faults.add(artifact + " says its licence is " + stated);
          }
        });
    licences.forEach(
        (artifact, licence) -> {
          if (!resolved.containsKey(artifact)) {
            faults.add(artifact + " is not resolved");
          }
          if (!JUDGED.contains(licence)) {
            faults.add(artifact + " has a licence to be judged first: " + licence);
          }
        });
    return faults;
  }
}
