package dev.runyard.core.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the files come from that a run begins with.
public sealed interface WorkspaceSource {
  /// A repository, checked out by the runner before the agent starts.
  ///
  /// @param url of https, ssh, or http of this machine, without a password
  /// @param ref a branch, a tag or a whole commit id; null for what the server's `HEAD` names
  /// @param depth how many commits of its history are fetched; 0 for all
  /// @param sparse the only folders that are checked out; empty for everything
  /// @param submodules whether the repository's submodules are checked out too
  /// @param lfs whether files kept by Git LFS are fetched
  /// @param credential the name of the secret to fetch it with
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Git(
      String url,
      @Nullable String ref,
      int depth,
      List<String> sparse,
      boolean submodules,
      boolean lfs,
      @Nullable String credential)
      implements WorkspaceSource {
    public Git {
      sparse = sparse == null ? List.of() : List.copyOf(sparse);
    }

    /// All of the newest commit that a ref names.
    public static Git of(String url, @Nullable String ref) {
      return new Git(url, ref, 1, List.of(), false, false, null);
    }
  }

  /// An archive that a client has put into the stack.
  record Upload(String id) implements WorkspaceSource {}

  /// The files as the session's last run left them.
  record Session() implements WorkspaceSource {}

  /// The files as another run of the tenant left them.
  record Run(String runId) implements WorkspaceSource {}

  /// No files.
  record None() implements WorkspaceSource {}
}
