"""Prints the template as CloudFormation receives it."""

import json
import sys

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse


class NoManagedPolicies:
    def load(self):
        return {}


with open(sys.argv[1], encoding="utf-8") as file:
    template = yaml_parse(file.read())
# The translator reads code from S3 only, where a deployment has put it by then.
template["Globals"]["Function"]["CodeUri"] = "s3://bucket/functions-lambda.jar"
json.dump(transform(template, {}, NoManagedPolicies()), sys.stdout, default=str)
