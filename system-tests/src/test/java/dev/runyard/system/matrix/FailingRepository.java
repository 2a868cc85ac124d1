package dev.runyard.system.matrix;

import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.nio.file.Path;

/// A small repository whose test fails because of a mistake in its only other file.
record FailingRepository(Repository repository) {
  private static final String SOURCE =
      """
      export function sum(numbers) {
        let total = 0;
        for (let i = 1; i < numbers.length; i++) {
          total += numbers[i];
        }
        return total;
      }
      """;

  private static final String TEST =
      """
      import assert from "node:assert";
      import { test } from "node:test";
      import { sum } from "../sum.mjs";

      test("adds all numbers", () => {
        assert.strictEqual(sum([1, 2, 3]), 6);
      });
      """;

  /// Runs its test.
  static final String CHECK = "node --test";

  /// Succeeds if the test fails.
  static final String CHECK_FAILS = "! " + CHECK;

  /// The mistake's end.
  static final String FIX = "sed -i 's/i = 1/i = 0/' sum.mjs";

  /// Where reports are left, which are not part of a change.
  static final String REPORT = "report.txt";

  static FailingRepository in(Path folder) {
    Repository repository = Repository.create(folder);
    repository.write("sum.mjs", SOURCE);
    repository.write("test/sum.test.mjs", TEST);
    repository.write(".gitignore", REPORT + "\n");
    repository.commit();
    return new FailingRepository(repository);
  }

  /// A clone of it, at its first commit.
  static Repository cloned(String url, String commit, Path into) throws IOException {
    Repository clone = Repository.create(into);
    clone.git("fetch", "-q", url, "main");
    clone.git("checkout", "-q", "--detach", commit);
    return clone;
  }

  /// Whether the test of a clone succeeds.
  static boolean succeeds(Repository clone) throws IOException, InterruptedException {
    return new ProcessBuilder("node", "--test")
            .directory(clone.path().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }
}
