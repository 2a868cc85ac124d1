package dev.runyard.cli.doctor;

import dev.runyard.runner.checkout.GitProgram;
import dev.runyard.runner.checkout.SshProgram;
import java.util.List;

/// A useful program, what it is for and how to get it.
record Wanted(String name, boolean required, String purpose, String hint) {

  static final List<Wanted> PROGRAMS =
      List.of(
          new Wanted("mvn", true, "builds Runyard", "install Apache Maven 3.8 or newer"),
          new Wanted("node", true, "runs npm, and agents written for Node", "install Node.js 20"),
          new Wanted("npm", true, "installs agent CLIs", "install Node.js 20"),
          new Wanted(
              GitProgram.NAME,
              false,
              "checks out the repositories that runs begin with",
              "install git " + GitProgram.VERSION_MIN + " or newer"),
          new Wanted(
              SshProgram.NAME,
              false,
              "fetches repositories over ssh",
              "install the client of OpenSSH"),
          new Wanted("cfn-lint", false, "checks template.yaml", "pip install cfn-lint"));
}
