package dev.runyard.bench.section;

import dev.runyard.bench.figure.Figure;
import java.util.List;

/// One thing to measure. A section starts what it needs and ends it again.
@FunctionalInterface
public interface Section {
  List<Figure> measure() throws Exception;
}
