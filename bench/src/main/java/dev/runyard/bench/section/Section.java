package dev.runyard.bench.section;

import dev.runyard.bench.figure.Figure;
import java.util.List;

/// One thing to measure. A section starts what it needs and ends it again.
public interface Section {
  List<Figure> measure() throws Exception;

  /// What was found not to hold while it was measured; that fails the benchmark, as no figure does.
  default List<String> broken() {
    return List.of();
  }
}
