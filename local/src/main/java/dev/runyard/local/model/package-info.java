/// A model server whose replies are scripted in the prompt. It replaces a model provider, so that a
/// genuine agent CLI can be run, shown and tested without a key, a network or a cost. The prompt
/// shows what the model will do.
@NullMarked
package dev.runyard.local.model;

import org.jspecify.annotations.NullMarked;
