package dev.runyard.local.template;

/// How the local stack handles a resource. The list of types is closed: most need nothing here, but
/// must be listed; an unlisted one stops the start, so that none is silently forgotten.
enum ResourceKind {
  TABLE,
  BUCKET,
  QUEUE,
  FUNCTION,
  CLUSTER,
  TASK,
  ROLE,
  /// A policy that several roles share.
  POLICY,
  /// Its routes are the functions' `Api` events.
  API,
  NOT_NEEDED;

  static ResourceKind of(Resource resource) {
    return switch (resource.type()) {
      case "AWS::DynamoDB::Table" -> TABLE;
      case "AWS::S3::Bucket" -> BUCKET;
      case "AWS::SQS::Queue" -> QUEUE;
      case "AWS::Serverless::Function" -> FUNCTION;
      case "AWS::ECS::Cluster" -> CLUSTER;
      case "AWS::ECS::TaskDefinition" -> TASK;
      case "AWS::IAM::Role" -> ROLE;
      case "AWS::IAM::ManagedPolicy" -> POLICY;
      case "AWS::Serverless::Api" -> API;
      case "AWS::ApiGateway::Account",
          "AWS::ApiGateway::GatewayResponse",
          "AWS::ApiGateway::UsagePlan",
          "AWS::Budgets::Budget",
          "AWS::CloudWatch::Alarm",
          "AWS::CloudWatch::CompositeAlarm",
          "AWS::CloudWatch::Dashboard",
          "AWS::EC2::InternetGateway",
          "AWS::EC2::Route",
          "AWS::EC2::RouteTable",
          "AWS::EC2::SecurityGroup",
          "AWS::EC2::SecurityGroupEgress",
          "AWS::EC2::SecurityGroupIngress",
          "AWS::EC2::Subnet",
          "AWS::EC2::SubnetRouteTableAssociation",
          "AWS::EC2::VPC",
          "AWS::EC2::VPCEndpoint",
          "AWS::EC2::VPCGatewayAttachment",
          "AWS::ECR::Repository",
          "AWS::ECS::ClusterCapacityProviderAssociations",
          "AWS::KMS::Alias",
          "AWS::KMS::Key",
          "AWS::Lambda::Permission",
          "AWS::Logs::LogGroup",
          "AWS::Logs::MetricFilter",
          "AWS::S3::BucketPolicy",
          "AWS::SNS::Subscription",
          "AWS::SNS::Topic",
          "AWS::SNS::TopicPolicy",
          "AWS::SQS::QueuePolicy",
          "AWS::WAFv2::WebACL",
          "AWS::WAFv2::WebACLAssociation" ->
          NOT_NEEDED;
      default ->
          throw new TemplateException(
              resource.logicalId()
                  + " is a "
                  + resource.type()
                  + ", which the local stack neither runs nor lists as not needed");
    };
  }
}
