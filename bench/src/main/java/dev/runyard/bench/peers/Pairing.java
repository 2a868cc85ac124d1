package dev.runyard.bench.peers;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.Project;
import dev.runyard.cli.demo.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A peer and Runyard with comparable work, in rounds that alternate. Each round starts anew, with
/// nothing stored.
///
/// @param work what a piece of it is, for either
record Pairing(Product peer, Product own, String work) {
  private static final int ROUNDS = 3;
  private static final int WARM_UP = 150;
  private static final int WORKS = 150;

  List<Figure> measure() throws IOException, InterruptedException {
    List<Round> theirs = new ArrayList<>();
    List<Round> ours = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      theirs.add(round(peer));
      ours.add(round(own));
    }
    List<Figure> figures = new ArrayList<>();
    add(figures, "start to ready", "ms", theirs, ours, round -> List.of(round.readyMillis));
    add(figures, "memory when ready", "MB", theirs, ours, round -> List.of(round.readyMegabytes));
    add(figures, "memory after the work", "MB", theirs, ours, round -> List.of(round.megabytes));
    add(figures, "accepted", "ms", theirs, ours, Round::acceptedMillis);
    add(figures, work, "ms", theirs, ours, Round::endMillis);
    return figures;
  }

  /// What one start of a system took, and its work after a warm-up.
  private record Round(
      double readyMillis, double readyMegabytes, double megabytes, List<Work> works) {

    List<Double> acceptedMillis() {
      return works.stream().flatMap(each -> each.acceptedMillis().stream().boxed()).toList();
    }

    List<Double> endMillis() {
      return works.stream().map(Work::endMillis).toList();
    }
  }

  private static Round round(Product product) throws IOException, InterruptedException {
    Path folder = Project.folder();
    try (Product.Started started = product.start(folder)) {
      double ready = started.megabytes();
      works(started, WARM_UP);
      List<Work> works = works(started, WORKS);
      return new Round(started.readyMillis(), ready, started.megabytes(), works);
    } finally {
      Folders.delete(folder);
    }
  }

  private static List<Work> works(Product.Started started, int count)
      throws IOException, InterruptedException {
    List<Work> works = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      works.add(started.work());
    }
    return works;
  }

  /// The median of all samples of each, the 99th percentile where there are many, and the ratio of
  /// the medians; nothing where only one of them has samples.
  private void add(
      List<Figure> figures,
      String name,
      String unit,
      List<Round> theirs,
      List<Round> ours,
      Function<Round, List<Double>> samples) {
    List<Double> peers = theirs.stream().map(samples).flatMap(List::stream).toList();
    List<Double> owns = ours.stream().map(samples).flatMap(List::stream).toList();
    if (peers.isEmpty() || owns.isEmpty()) {
      return;
    }
    add(figures, peer.name() + ": " + name, unit, Samples.of(peers), rounds(theirs, samples));
    add(figures, own.name() + ": " + name, unit, Samples.of(owns), rounds(ours, samples));
    figures.add(
        new Figure(
            peer.name(),
            "%s / %s: %s".formatted(own.name(), peer.name(), name),
            Samples.of(owns).median() / Samples.of(peers).median(),
            "x",
            "ratio of the medians"));
  }

  private void add(List<Figure> figures, String name, String unit, Samples samples, String note) {
    figures.add(new Figure(peer.name(), name + ", median", samples.median(), unit, note));
    if (samples.count() > ROUNDS) {
      figures.add(new Figure(peer.name(), name + ", p99", samples.percentile(99), unit, ""));
    }
  }

  private static String rounds(List<Round> rounds, Function<Round, List<Double>> samples) {
    return rounds.stream()
        .map(round -> Samples.of(samples.apply(round)).median())
        .map(median -> String.format(Locale.ROOT, "%.1f", median))
        .collect(Collectors.joining(", ", "rounds: ", ""));
  }
}
