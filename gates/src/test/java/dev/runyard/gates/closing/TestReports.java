package dev.runyard.gates.closing;

import dev.runyard.needs.Outside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// The outcome of the tests of all modules, as their builds wrote it down.
///
/// @param tests how many there were
/// @param skipped names of tests that were skipped, by the reason
record TestReports(int tests, Map<String, List<String>> skipped) {
  /// The reports of all modules below `home`, without those of classes that are no more.
  static TestReports below(Path home)
      throws IOException, ParserConfigurationException, SAXException {
    TestReports all = new TestReports(0, new TreeMap<>());
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file :
          files.filter(TestReports::isReport).filter(TestReports::isOfAClass).toList()) {
        all = all.with(file);
      }
    }
    return all;
  }

  /// These and the ones of the report `file`.
  TestReports with(Path file) throws IOException, ParserConfigurationException, SAXException {
    Map<String, List<String>> reasons = new TreeMap<>(skipped);
    NodeList cases =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      Node why = test.getElementsByTagName("skipped").item(0);
      if (why instanceof Element skip) {
        String name = test.getAttribute("classname") + "." + test.getAttribute("name");
        reasons.computeIfAbsent(skip.getAttribute("message"), _ -> new ArrayList<>()).add(name);
      }
    }
    return new TestReports(tests + cases.getLength(), reasons);
  }

  /// Those that were skipped for another reason than that something is absent here.
  Map<String, List<String>> unexcused() {
    Map<String, List<String>> unexcused = new TreeMap<>(skipped);
    unexcused.keySet().removeIf(Outside::excuses);
    return unexcused;
  }

  private static boolean isReport(Path file) {
    return file.toString().matches(".*/target/surefire-reports/TEST-[^/]*\\.xml");
  }

  private static boolean isOfAClass(Path report) {
    String type = report.getFileName().toString().replaceAll("^TEST-|\\.xml$", "");
    return Files.exists(
        report.resolveSibling("../test-classes").resolve(type.replace('.', '/') + ".class"));
  }

  /// One line: how many were skipped, and why.
  String line() {
    long count = skipped.values().stream().mapToLong(List::size).sum();
    List<String> reasons = new ArrayList<>();
    skipped.forEach((reason, names) -> reasons.add(names.size() + " " + reason));
    return "skipped tests: %d of %d%s"
        .formatted(count, tests, reasons.isEmpty() ? "" : " (" + String.join(", ", reasons) + ")");
  }
}
