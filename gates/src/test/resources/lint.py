"""Prints each fault that the linter finds in a template."""

from cfnlint.api import ManualArgs, lint

from each import each


def faults(template):
    with open(template, encoding="utf-8") as file:
        for match in lint(file.read(), config=ManualArgs(regions=["eu-west-1"])):
            print(match)


each(faults)
