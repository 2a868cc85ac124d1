/// Webhooks of other systems that become runs: what a hook is, how a delivery proves its sender,
/// and what is made of it.
@NullMarked
package dev.runyard.core.hook;

import org.jspecify.annotations.NullMarked;
