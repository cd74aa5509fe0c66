/** Returns the ARN of a resource of the same stack. */
export const arn = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });

/** Builds an Allow statement. */
export const allow = (actions: string[], resource: unknown, conditions?: object) => ({
  Effect: "Allow",
  Action: actions,
  Resource: resource,
  ...(conditions && { Condition: conditions }),
});

type FunctionOptions = {
  code: string;
  statements?: unknown[];
  timeout?: number;
  reservedConcurrency?: number;
  environment?: Record<string, unknown>;
};

/** Builds a function with its role, as CDK does. */
export const lambda = (id: string, directory: string, options: FunctionOptions) => ({
  [`${id}Role`]: {
    Type: "AWS::IAM::Role",
    Properties: {
      ManagedPolicyArns: ["arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"],
    },
  },
  [`${id}Policy`]: {
    Type: "AWS::IAM::Policy",
    Properties: {
      PolicyName: `${id}Policy`,
      Roles: [{ Ref: `${id}Role` }],
      PolicyDocument: { Version: "2012-10-17", Statement: options.statements ?? [] },
    },
  },
  [id]: {
    Type: "AWS::Lambda::Function",
    Properties: {
      FunctionName: id,
      Handler: "index.handler",
      Runtime: "nodejs24.x",
      Timeout: options.timeout ?? 5,
      MemorySize: 256,
      ...(options.reservedConcurrency !== undefined && {
        ReservedConcurrentExecutions: options.reservedConcurrency,
      }),
      Role: arn(`${id}Role`),
      Environment: { Variables: { OWN: id, ...options.environment } },
      Code: { S3Bucket: "assets", S3Key: "none.zip" },
    },
    Metadata: { "aws:asset:path": `${directory}/${options.code}` },
  },
});

/** Builds the role in which the gateway invokes these functions, with a managed policy as CDK makes it. */
export const gatewayRole = (ids: readonly string[]) => ({
  GatewayPolicy: {
    Type: "AWS::IAM::ManagedPolicy",
    Properties: {
      PolicyDocument: { Statement: [allow(["lambda:InvokeFunction"], ids.map(arn))] },
    },
  },
  Gateway: {
    Type: "AWS::IAM::Role",
    Properties: {
      AssumeRolePolicyDocument: {
        Statement: [
          {
            Action: "sts:AssumeRole",
            Effect: "Allow",
            Principal: { Service: "apigateway.amazonaws.com" },
          },
        ],
      },
      ManagedPolicyArns: [{ Ref: "GatewayPolicy" }],
    },
  },
});

/** Builds a method with a streaming Lambda integration. */
export const streamingIntegration = (id: string, timeoutInMillis = 900_000) => ({
  "x-amazon-apigateway-integration": {
    type: "aws_proxy",
    httpMethod: "POST",
    timeoutInMillis,
    credentials: arn("Gateway"),
    responseTransferMode: "STREAM",
    uri: {
      "Fn::Join": [
        "",
        [
          "arn:aws:apigateway:",
          { Ref: "AWS::Region" },
          ":lambda:path/2021-11-15/functions/",
          arn(id),
          "/response-streaming-invocations",
        ],
      ],
    },
  },
});

/** Builds a method with a Lambda integration. */
export const integration = (id: string) => ({
  "x-amazon-apigateway-integration": {
    type: "aws_proxy",
    httpMethod: "POST",
    timeoutInMillis: 29_000,
    credentials: arn("Gateway"),
    uri: {
      "Fn::Join": [
        "",
        [
          "arn:aws:apigateway:",
          { Ref: "AWS::Region" },
          ":lambda:path/2015-03-31/functions/",
          arn(id),
          "/invocations",
        ],
      ],
    },
  },
});

/** Builds a gateway response, as CDK does. */
export const gatewayResponse = (statusCode: string, title: string) => ({
  statusCode,
  responseParameters: {
    "gatewayresponse.header.Content-Type": "'application/problem+json'",
    "gatewayresponse.header.X-Request-Id": "context.requestId",
    "gatewayresponse.header.X-RateLimit-Limit": "'60'",
  },
  responseTemplates: {
    "application/json": JSON.stringify({
      title,
      requestId: "$context.requestId",
      resource: "$context.resourcePath",
    }),
  },
});
