package dev.runyard.cli;

import dev.runyard.cli.client.Identification;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.profile.Profile;
import dev.runyard.cli.profile.Profiles;
import dev.runyard.cli.profile.ServerAddress;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "login",
    description = "Keep a server, and how to show who you are there, for the other commands.",
    footer = {
      "",
      "Asks for a key or token, or reads it from standard input: an argument could be read by",
      "every user of the machine. With --aws, requests are signed with your AWS credentials",
      "instead, and nothing of them is kept. What does not work is not kept."
    })
final class LoginCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--url", paramLabel = "URL", required = true, description = "The server.")
  private String url = "";

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "Name to keep it by. Default: " + Profile.DEFAULT + ", which is used when none is named.")
  private String profile = Profile.DEFAULT;

  @Option(names = "--aws", description = "Sign requests with AWS credentials.")
  private boolean aws;

  @Option(
      names = "--aws-profile",
      paramLabel = "NAME",
      description = "Profile of the AWS configuration; implies --aws.")
  private @Nullable String awsProfile;

  @Option(
      names = "--region",
      paramLabel = "REGION",
      description = "AWS region of the API, where the URL does not say it; implies --aws.")
  private @Nullable String region;

  @Spec private CommandSpec spec = CommandSpec.create();

  LoginCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    if (!Profile.isName(profile)) {
      throw misuse("a profile's name has letters, digits, dots, dashes and underscores");
    }
    URI server =
        ServerAddress.read(url)
            .orElseThrow(() -> misuse("not an http or https URL: '" + url + "'"));
    Profile kept = new Profile(profile, server, authentication(server));
    Profiles profiles = Profiles.of(terminal.env());
    try (RunyardClient client = new RunyardClient(server, kept.authentication())) {
      ServerReply reply = client.agents();
      return Works.of(reply)
          ? keep(profiles, kept)
          : new Answers(terminal, false).on(reply, _ -> ExitCode.FAILED);
    }
  }

  private int keep(Profiles profiles, Profile kept) {
    profiles.put(kept);
    terminal.note(
        "runyard: logged in to %s (%s); kept as profile %s in %s"
            .formatted(kept.server(), kept.authentication().text(), kept.name(), profiles.file()));
    return ExitCode.DONE;
  }

  private Identification authentication(URI server) throws IOException {
    if (aws || awsProfile != null || region != null) {
      String where =
          region != null
              ? region
              : ServerAddress.region(server)
                  .orElseThrow(() -> misuse("the URL does not say the region; give --region"));
      return new Identification.Aws(Optional.ofNullable(awsProfile), where);
    }
    Optional<String> key = terminal.secret("Key or token of " + server + ": ");
    try {
      return new Identification.Bearer(key.orElse("").strip());
    } catch (IllegalArgumentException e) {
      throw misuse(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
