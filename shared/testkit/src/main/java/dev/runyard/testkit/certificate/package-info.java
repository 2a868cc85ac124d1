/// Certificates for servers of tests.
@NullMarked
package dev.runyard.testkit.certificate;

import org.jspecify.annotations.NullMarked;
