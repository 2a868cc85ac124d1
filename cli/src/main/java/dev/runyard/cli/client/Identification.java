package dev.runyard.cli.client;

import java.util.Optional;
import java.util.regex.Pattern;

/// How a client shows who it is. None of these ever says a secret as text.
public sealed interface Identification {
  /// In words, for people.
  String text();

  /// Not at all.
  record None() implements Identification {
    @Override
    public String text() {
      return "none";
    }
  }

  /// A key or token, which whoever has it can use.
  record Bearer(String secret) implements Identification {
    private static final Pattern SENDABLE = Pattern.compile("[\\x21-\\x7e]{1,8192}");

    /// @throws IllegalArgumentException for a text that no header can carry; it is not repeated
    public Bearer {
      if (!SENDABLE.matcher(secret).matches()) {
        throw new IllegalArgumentException(
            "this is no key or token: it is empty, too long, or has spaces or other characters"
                + " that none has");
      }
    }

    @Override
    public String text() {
      return "key or token";
    }

    @Override
    public String toString() {
      return text();
    }
  }

  /// Signatures (SigV4) with AWS credentials of this machine.
  ///
  /// @param profile of the AWS configuration; empty for the usual search of the AWS SDK
  /// @param region of the API
  record Aws(Optional<String> profile, String region) implements Identification {
    @Override
    public String text() {
      return "signature with AWS credentials"
          + profile.map(name -> " of the AWS profile " + name).orElse("")
          + ", region "
          + region;
    }
  }
}
