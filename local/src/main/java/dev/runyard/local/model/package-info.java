/// A model server whose replies are written in the prompt.
///
/// It stands in for a model provider, so that a genuine agent CLI can be run, shown and tested
/// without a key, a network or a cost. What the model will do is plain to the reader of the prompt.
@NullMarked
package dev.runyard.local.model;

import org.jspecify.annotations.NullMarked;
