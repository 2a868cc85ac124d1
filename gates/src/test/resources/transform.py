"""Prints a template as CloudFormation receives it."""

import json
import sys

from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

from each import each


class NoManagedPolicies:
    def load(self):
        return {}


def transformed(file):
    with open(file, encoding="utf-8") as text:
        template = yaml_parse(text.read())
    # The translator reads code from S3 only, where a deployment has put it by then.
    template["Globals"]["Function"]["CodeUri"] = "s3://bucket/functions-lambda.jar"
    json.dump(transform(template, {}, NoManagedPolicies()), sys.stdout, default=str)


each(transformed)
