package dev.runyard.cli;

import dev.runyard.cli.client.Identification;
import dev.runyard.cli.client.RunyardClient;
import java.net.URI;

/// The server a command talks to, and how it shows there who calls.
///
/// @param because what decided so, for people
record Target(URI server, Identification authentication, String because) {
  RunyardClient client() {
    return new RunyardClient(server, authentication);
  }
}
