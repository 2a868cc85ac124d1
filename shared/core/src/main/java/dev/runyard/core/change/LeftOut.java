package dev.runyard.core.change;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Something in the workspace that is not in what is kept.
///
/// @param path below the workspace; secrets in it are cut out, and characters that are none
///   replaced
public record LeftOut(String path, Reason reason) {
  /// Why.
  public enum Reason {
    /// A git directory, or a name that git would take for one.
    @JsonProperty("repository")
    REPOSITORY,
    /// The files of a submodule, which a patch of the repository around it cannot have.
    @JsonProperty("submodule")
    SUBMODULE,
    /// A changed file of Git LFS: the patch would have its content instead of its pointer.
    @JsonProperty("lfs")
    LFS,
    /// Also what could not be copied and stored in time.
    @JsonProperty("too_large")
    TOO_LARGE,
    /// More artifacts than are kept.
    @JsonProperty("too_many")
    TOO_MANY,
    /// The tenant's runs have stored as much as they may.
    @JsonProperty("quota")
    QUOTA,
    /// It has the value of a secret that the attempt knew.
    @JsonProperty("secret")
    SECRET,
    /// The runner may not read it, it changed while it was read, or the store did not take it.
    @JsonProperty("unreadable")
    UNREADABLE,
    /// A hard link to a file of another user.
    @JsonProperty("foreign")
    FOREIGN,
    /// A pipe, a socket or a device.
    @JsonProperty("special")
    SPECIAL,
    /// Its name is no text in UTF-8, or is too long.
    @JsonProperty("name")
    NAME,
    /// Too many folders around it.
    @JsonProperty("depth")
    DEPTH
  }
}
