package dev.runyard.core.change;

/// How much of a workspace is taken when its agent has ended.
public final class ChangeBounds {
  /// Most files, folders and links of a workspace, wherever they come from. With more, none begins,
  /// nothing of it is taken, and nothing is left for later runs.
  public static final int ENTRIES_MAX = 200_000;

  /// Most folders around a file. What is deeper is left out.
  public static final int DEPTH_MAX = 100;

  /// Most bytes of a path. Longer ones are left out.
  public static final int PATH_BYTES_MAX = 4_000;

  /// Most bytes of all paths of a workspace, with the targets of links where these are kept. A
  /// runner has them in its memory, several times, while it takes or keeps a workspace. With more,
  /// it has too many files.
  public static final int PATHS_BYTES_MAX = 32 * 1024 * 1024;

  /// Most bytes of a changed file. A larger one is left out of the patch.
  public static final int FILE_BYTES_MAX = 16 * 1024 * 1024;

  /// Most bytes of all changed files, as they were and as they are. With more there is no patch.
  public static final int CONTENT_BYTES_MAX = 64 * 1024 * 1024;

  /// Most changed files. With more there is no patch.
  public static final int CHANGED_FILES_MAX = 10_000;

  /// Most bytes of a patch. Instead of a larger one there is an archive.
  public static final int PATCH_BYTES_MAX = 24 * 1024 * 1024;

  /// Most changed files that are listed, and most bytes of their paths.
  public static final int LISTED_MAX = 5_000;

  public static final int LISTED_BYTES_MAX = 1024 * 1024;

  /// Most files left out that are listed.
  public static final int LEFT_OUT_MAX = 500;

  /// Most artifacts, most bytes of one, and of all of them.
  public static final int ARTIFACTS_MAX = 200;

  public static final int ARTIFACT_BYTES_MAX = 512 * 1024 * 1024;

  public static final long ARTIFACTS_BYTES_MAX = 1024L * 1024 * 1024;

  /// Most bytes of an archive as it is stored, and of the files in it.
  public static final int ARCHIVE_BYTES_MAX = 512 * 1024 * 1024;

  public static final long ARCHIVE_CONTENT_BYTES_MAX = 1024L * 1024 * 1024;

  /// Most bytes of a content that is held in memory to be stored or sent. What is larger is a
  /// [dev.runyard.core.artifact.LargeObjects], and clients get it at an address.
  public static final int SENT_BYTES_MAX = 48 * 1024 * 1024;

  /// How long taking a change may last.
  public static final int TAKING_SECONDS_MAX = 120;

  /// How long artifacts may be copied, an archive packed, and both stored. What is not done by then
  /// is left out.
  public static final int FILES_SECONDS_MAX = 120;

  private ChangeBounds() {}
}
