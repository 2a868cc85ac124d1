/// The function behind the routes of those who set up what runs and callers use: keys, quotas,
/// uploads, webhooks and hooks.
@NullMarked
package dev.runyard.functions.manage;

import org.jspecify.annotations.NullMarked;
