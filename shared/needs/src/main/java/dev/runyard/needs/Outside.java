package dev.runyard.needs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Something outside the repository that some tests need and a clone does not contain. A test that
/// needs it is skipped if it is absent, with the reason given here; the build counts such tests and
/// fails when one is skipped for any other reason.
public enum Outside {
  /// The files that other projects publish with their standards.
  STANDARDS("the standards' files") {
    @Override
    public boolean isPresent() {
      return Files.isDirectory(Standards.FOLDER);
    }
  },

  /// Python with AWS's translator of SAM templates and its linter.
  SAM_TRANSLATOR("python3 with aws-sam-translator and cfn-lint") {
    @Override
    public boolean isPresent() {
      return succeeds(List.of("python3", "-c", FINDS_MODULES));
    }
  },

  /// An emulator of AWS other than the ones the stack embeds.
  MOTO_SERVER("moto_server on the PATH") {
    @Override
    public boolean isPresent() {
      return isOnPath("moto_server");
    }
  },

  /// The right to give processes a user of their own.
  OWN_USERS("root that may change its user, with setpriv and prlimit") {
    @Override
    public boolean isPresent() {
      return succeeds(
          List.of(
              "prlimit",
              "--core=0:0",
              "setpriv",
              "--reuid=66000",
              "--regid=66000",
              "--clear-groups",
              "true"));
    }
  },

  /// The right to change what the kernel allows every user.
  KERNEL_SETTINGS("kernel settings that may be written") {
    @Override
    public boolean isPresent() {
      return Files.isWritable(Path.of("/proc/sys/user/max_user_namespaces"));
    }
  },

  /// Namespaces made by bubblewrap.
  BUBBLEWRAP("bwrap on the PATH that may make namespaces") {
    @Override
    public boolean isPresent() {
      return succeeds(
          List.of(
              "bwrap",
              "--unshare-user",
              "--unshare-pid",
              "--disable-userns",
              "--ro-bind",
              "/",
              "/",
              "true"));
    }
  },

  /// The client of OpenSSH, by which git fetches over ssh.
  SSH_CLIENT("ssh on the PATH") {
    @Override
    public boolean isPresent() {
      return isOnPath("ssh");
    }
  },

  /// What the tour asks with.
  CURL("curl and bash on the PATH") {
    @Override
    public boolean isPresent() {
      return isOnPath("curl") && isOnPath("bash");
    }
  },

  /// What the runbook's commands are run with.
  AWS_CLI("jq, bash, and an AWS CLI that moves messages, on the PATH") {
    @Override
    public boolean isPresent() {
      return Stream.of("aws", "jq", "bash").allMatch(Outside::isOnPath)
          && succeeds(List.of("aws", "sqs", "start-message-move-task", "--generate-cli-skeleton"));
    }
  },

  /// A browser that needs no screen.
  CHROMIUM("chromium on the PATH") {
    @Override
    public boolean isPresent() {
      return isOnPath("chromium");
    }
  },

  /// What builds the runner's image without a registry, and what runs it.
  IMAGE_TOOLS("root with buildah or docker, mmdebstrap, runc, node and npm") {
    @Override
    public boolean isPresent() {
      return OWN_USERS.isPresent()
          && Stream.of("mmdebstrap", "runc", "node", "npm").allMatch(Outside::isOnPath)
          && (isOnPath("buildah") || succeeds(List.of("docker", "version")));
    }
  };

  private static final String FOR_WANT_OF = "for want of ";
  private static final String FINDS_MODULES =
      "import sys, importlib.util as u;"
          + "sys.exit(not all(map(u.find_spec, ('cfnlint', 'samtranslator'))))";

  private final String name;

  Outside(String name) {
    this.name = name;
  }

  /// Looks for it on this machine.
  public abstract boolean isPresent();

  /// Why a test is skipped, as the test reports say it.
  public String reason() {
    return FOR_WANT_OF + name;
  }

  /// True for one of these reasons that holds on this machine.
  public static boolean excuses(String reason) {
    return Arrays.stream(values()).anyMatch(it -> it.reason().equals(reason) && !it.isPresent());
  }

  private static boolean isOnPath(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static boolean succeeds(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.redirectInput(Path.of("/dev/null").toFile());
    try {
      return builder.start().waitFor() == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
