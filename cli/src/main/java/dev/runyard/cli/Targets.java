package dev.runyard.cli;

import dev.runyard.cli.client.Identification;
import dev.runyard.cli.profile.Profile;
import dev.runyard.cli.profile.Profiles;
import dev.runyard.cli.profile.ServerAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/// Chooses the server of a command: a named profile, a named URL, the profile `default`, and else
/// the stack on this machine. A key goes to the server it was given for: `RUNYARD_TOKEN` to the
/// server that the user names or has logged in to, the key of a profile to its server.
///
/// @param terminal with the user's variables
record Targets(Terminal terminal) {
  static final String URL_VARIABLE = "RUNYARD_URL";
  static final String PROFILE_VARIABLE = "RUNYARD_PROFILE";
  static final String TOKEN_VARIABLE = "RUNYARD_TOKEN";

  /// @param url as an option says; empty for none
  /// @param profile likewise
  /// @throws IllegalArgumentException for what cannot be, saying what to change
  Target choose(String url, String profile) {
    if (!url.isEmpty() && !profile.isEmpty()) {
      throw new IllegalArgumentException("give --url or --profile, not both");
    }
    if (!profile.isEmpty()) {
      return ofProfile(profile);
    }
    if (!url.isEmpty()) {
      return ofServer(url);
    }
    String named = variable(PROFILE_VARIABLE);
    if (!named.isEmpty()) {
      return ofProfile(named);
    }
    String address = variable(URL_VARIABLE);
    if (!address.isEmpty()) {
      return ofServer(address);
    }
    return profiles().find(Profile.DEFAULT).map(this::of).orElseGet(this::unnamed);
  }

  /// Whoever listens at the usual port of this machine is sent no key that was meant for another.
  private Target unnamed() {
    if (!variable(TOKEN_VARIABLE).isEmpty()) {
      terminal.note("runyard: RUNYARD_TOKEN is for a server that is named; set RUNYARD_URL too");
    }
    return local(URI.create(ServerOption.URL_DEFAULT));
  }

  private Target ofProfile(String name) {
    return of(
        profiles()
            .find(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no profile %s; make one with: ./runyard login --profile %s --url URL"
                            .formatted(name, name))));
  }

  private Target of(Profile profile) {
    String because = "profile " + profile.name();
    return token()
        .map(token -> new Target(profile.server(), token, because + " and " + TOKEN_VARIABLE))
        .orElseGet(() -> new Target(profile.server(), profile.authentication(), because));
  }

  private Target ofServer(String address) {
    URI server =
        ServerAddress.read(address)
            .orElseThrow(
                () -> new IllegalArgumentException("not an http or https URL: '" + address + "'"));
    Optional<Identification> token = token();
    if (token.isPresent()) {
      return new Target(server, token.get(), TOKEN_VARIABLE);
    }
    List<Profile> known = profiles().of(server);
    if (known.size() > 1) {
      throw new IllegalArgumentException(
          "several profiles are for %s; name one with --profile: %s"
              .formatted(server, String.join(", ", known.stream().map(Profile::name).toList())));
    }
    return known.isEmpty() ? unknown(server) : of(known.getFirst());
  }

  /// A server the user has not logged in to. An API of API Gateway takes signatures, or else a key
  /// that nobody has given.
  private Target unknown(URI server) {
    return ServerAddress.region(server)
        .map(
            region ->
                new Target(server, new Identification.Aws(Optional.empty(), region), "its address"))
        .orElseGet(() -> local(server));
  }

  /// The stack on this machine, which leaves a token for its user, or a server that nothing is
  /// known of.
  private Target local(URI server) {
    return StackTokens.find(terminal, server)
        .map(
            token ->
                new Target(
                    server,
                    new Identification.Bearer(token),
                    "the access token the stack has left"))
        .orElseGet(() -> new Target(server, new Identification.None(), "nothing"));
  }

  private Profiles profiles() {
    return Profiles.of(terminal.env());
  }

  private Optional<Identification> token() {
    String token = variable(TOKEN_VARIABLE);
    try {
      return token.isEmpty()
          ? Optional.empty()
          : Optional.of(new Identification.Bearer(token.strip()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(TOKEN_VARIABLE + ": " + e.getMessage(), e);
    }
  }

  private String variable(String name) {
    return terminal.env().getOrDefault(name, "");
  }
}
