/// The HTTP client of a Runyard server: requests, problems, and streams that resume.
@NullMarked
package dev.runyard.cli.client;

import org.jspecify.annotations.NullMarked;
