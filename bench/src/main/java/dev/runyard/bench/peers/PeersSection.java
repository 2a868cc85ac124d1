package dev.runyard.bench.peers;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.section.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Other systems beside Runyard, on this machine and in turn with it. One that cannot be installed
/// or used here is left out, which is printed with the reason.
public final class PeersSection implements Section {

  @Override
  public List<Figure> measure() throws Exception {
    RunyardProduct inProcess = RunyardProduct.inProcess();
    RunyardProduct processes = RunyardProduct.processes();
    inProcess.install();
    List<Figure> figures = new ArrayList<>();
    for (Pairing pairing :
        List.of(
            new Pairing(new Restate(), inProcess, "submit to end"),
            new Pairing(new Temporal(), inProcess, "start to end"),
            new Pairing(new SandboxAgent(), processes, "a process's answer"))) {
      figures.addAll(measure(pairing));
    }
    return figures;
  }

  private static List<Figure> measure(Pairing pairing) throws InterruptedException {
    try {
      pairing.peer().install();
      return pairing.measure();
    } catch (IOException e) {
      System.out.println(pairing.peer().name() + " is left out: " + e.getMessage());
      return List.of();
    }
  }
}
