/// The agent CLIs that Runyard was tested with, each at one version, installed into the cache.
@NullMarked
package dev.runyard.cli.install;

import org.jspecify.annotations.NullMarked;
