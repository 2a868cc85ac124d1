package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Packages use each other in one direction, over all modules: whoever reads one needs to know only
/// those below it. The graph is printed, each package with those it uses.
final class PackagesTest {
  private static final String ROOT = "dev.runyard.";

  @Gate
  @Breach(
      in = "shared/core/src/main/java/dev/runyard/core/problem/Planted.java",
      by = "package dev.runyard.core.problem; class Planted { dev.runyard.core.run.RunFold fold; }",
      named = "core.problem <-> core.run")
  void noPackageUsesOneThatUsesIt(Repository repository) {
    Map<String, Set<String>> graph =
        graph(Stream.concat(Classes.MAIN.stream(), Classes.main(repository).stream()));
    assertTrue(graph.size() > 50, "the classes were not found where Maven puts them");
    graph.forEach((name, used) -> System.out.println(name + " -> " + String.join(", ", used)));
    List<String> cycles = cycles(graph);
    System.out.printf(
        "package graph: %d packages, %d uses, %d cycles%n",
        graph.size(), graph.values().stream().mapToInt(Set::size).sum(), cycles.size());
    assertEquals(List.of(), cycles, "move what both need to a package below both");
  }

  private static Map<String, Set<String>> graph(Stream<JavaClass> types) {
    Map<String, Set<String>> graph = new TreeMap<>();
    types.forEach(
        type -> {
          String name = type.getPackageName();
          Set<String> used = graph.computeIfAbsent(relative(name), _ -> new TreeSet<>());
          for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
            String other = dependency.getTargetClass().getPackageName();
            if (other.startsWith(ROOT) && !other.equals(name)) {
              used.add(relative(other));
            }
          }
        });
    return graph;
  }

  /// Pairs of packages that reach each other.
  private static List<String> cycles(Map<String, Set<String>> graph) {
    Map<String, Set<String>> reached = new TreeMap<>();
    graph.keySet().forEach(name -> reached.put(name, reach(graph, name)));
    List<String> cycles = new ArrayList<>();
    reached.forEach(
        (name, others) ->
            others.stream()
                .filter(other -> name.compareTo(other) < 0)
                .filter(other -> reached.getOrDefault(other, Set.of()).contains(name))
                .forEach(other -> cycles.add(name + " <-> " + other)));
    return cycles;
  }

  private static Set<String> reach(Map<String, Set<String>> graph, String from) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(graph.getOrDefault(from, Set.of()));
    while (!open.isEmpty()) {
      String next = open.pop();
      if (reached.add(next)) {
        open.addAll(graph.getOrDefault(next, Set.of()));
      }
    }
    return reached;
  }

  private static String relative(String name) {
    return name.substring(ROOT.length());
  }
}
