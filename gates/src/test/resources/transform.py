"""Prints the template as CloudFormation receives it. Exit 1: the linter found a fault."""

import json
import sys

from cfnlint.api import ManualArgs, lint
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse


class NoManagedPolicies:
    def load(self):
        return {}


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()

found = lint(text, config=ManualArgs(regions=["eu-west-1"]))
if found:
    print("\n".join(str(match) for match in found), file=sys.stderr)
    sys.exit(1)

template = yaml_parse(text)
# The translator reads code from S3 only, where a deployment has put it by then.
template["Globals"]["Function"]["CodeUri"] = "s3://bucket/functions-lambda.jar"
json.dump(transform(template, {}, NoManagedPolicies()), sys.stdout, default=str)
