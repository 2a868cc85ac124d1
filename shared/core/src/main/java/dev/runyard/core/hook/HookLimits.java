package dev.runyard.core.hook;

/// Bounds of hooks and of what they receive, unit last.
public final class HookLimits {
  /// Hooks of a tenant.
  public static final int HOOKS_MAX = 100;

  /// A hook as it is stored.
  public static final int HOOK_BYTES_MAX = 64 * 1024;

  public static final int NAME_BYTES_MAX = 128;

  /// The body of a delivery. A function is called with at most 6 MB of JSON text, in which a body
  /// may be twice as long as it is.
  public static final int DELIVERY_BYTES_MAX = 2 * 1024 * 1024;

  /// Filters of a hook, and the values one of them names.
  public static final int FILTERS_MAX = 16;

  public static final int FILTER_VALUES_MAX = 32;
  public static final int FILTER_VALUE_BYTES_MAX = 1024;

  /// Placeholders of a hook, and the pointer of one.
  public static final int PLACEHOLDERS_MAX = 64;

  public static final int POINTER_BYTES_MAX = 512;

  /// What is put in place of one placeholder; longer text is cut.
  public static final int VALUE_BYTES_MAX = 32 * 1024;

  /// Places whose values a hook restricts, and the values of one.
  public static final int ALLOWED_PLACES_MAX = 16;

  public static final int ALLOWED_VALUES_MAX = 64;

  /// How far the time that a delivery is signed with may be from now, either way. Far below the
  /// time that an idempotency key is remembered, so that a signed delivery starts one run for ever.
  public static final int TOLERANCE_SECONDS_DEFAULT = 300;

  public static final int TOLERANCE_SECONDS_MAX = 3600;

  /// A shorter secret could be found by trial from one signed delivery.
  public static final int SECRET_BYTES_MIN = 16;

  /// Signatures that one delivery may carry.
  public static final int SIGNATURES_MAX = 16;

  /// How long a secret that was read is used before it is asked for again.
  public static final int SECRET_SECONDS = 60;

  /// The same for the answer that it cannot be had.
  public static final int SECRET_RETRY_SECONDS = 5;

  /// How long what a delivery came to is kept, and how much of it is listed.
  public static final int DELIVERY_DAYS = 7;

  public static final int DELIVERIES_LISTED_MAX = 100;

  /// Deliveries without proof that are kept of a hook: the newest of this many seconds, one each.
  public static final int UNPROVEN_KEPT = 20;

  /// The name of a delivery or an event, as it is kept.
  public static final int LABEL_BYTES_MAX = 128;

  public static final int REASON_BYTES_MAX = 512;

  /// The challenge by which a sender tries a new address.
  public static final int CHALLENGE_BYTES_MAX = 1024;

  private HookLimits() {}
}
