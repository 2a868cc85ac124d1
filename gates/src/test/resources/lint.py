"""Prints each fault that the linter finds in the template."""

import sys

from cfnlint.api import ManualArgs, lint

with open(sys.argv[1], encoding="utf-8") as file:
    for match in lint(file.read(), config=ManualArgs(regions=["eu-west-1"])):
        print(match)
