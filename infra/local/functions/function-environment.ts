import { credentialsFor, type LocalCredentials } from "../access/credentials.ts";
import type { LocalFunction } from "../template/functions.ts";
import { localRegion } from "../template/physical.ts";

/** Endpoints of the local services. */
export type Endpoints = {
  /** Base URL of DynamoDB, SQS, S3, S3 Vectors, KMS and EventBridge Scheduler. */
  services: string;
  /** Derives the functions' session tokens. */
  secret: string;
  /** URL of the local issuer's keys; undefined with an external issuer. */
  jwksUrl: string | undefined;
};

/**
 * Builds a function's environment: the template's variables, Lambda's, and the local endpoints. Only PATH comes
 * from this process. The access key ID is the function's name, the identity that its permissions apply to.
 */
export const buildEnvironment = (
  fn: LocalFunction,
  endpoints: Endpoints,
): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  TZ: ":UTC",
  LANG: "en_US.UTF-8",
  _HANDLER: fn.handler,
  LAMBDA_TASK_ROOT: fn.directory,
  AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
  AWS_LAMBDA_FUNCTION_NAME: fn.name,
  AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMegabytes),
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${fn.name}`,
  AWS_LAMBDA_LOG_STREAM_NAME: "local",
  AWS_LAMBDA_LOG_FORMAT: "JSON",
  AWS_LAMBDA_LOG_LEVEL: fn.logLevel,
  AWS_REGION: localRegion,
  AWS_DEFAULT_REGION: localRegion,
  ...buildOwnEnvironment(fn, endpoints),
});

/** Builds a function's environment without Lambda's own variables. */
export const buildOwnEnvironment = (
  fn: LocalFunction,
  endpoints: Endpoints,
): Record<string, string> => ({
  ...fn.environment,
  ...(endpoints.jwksUrl !== undefined &&
    "OIDC_ISSUER" in fn.environment && { OIDC_JWKS_URL: endpoints.jwksUrl }),
  ...(endpoints.jwksUrl !== undefined &&
    "AUTHORIZATION_SERVER" in fn.environment && { AUTHORIZATION_SERVER: "same-origin" }),
  ...credentialVariables(credentialsFor(endpoints.secret, fn.name)),
  AWS_EC2_METADATA_DISABLED: "true",
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.services,
  AWS_ENDPOINT_URL_SQS: endpoints.services,
  AWS_ENDPOINT_URL_S3: endpoints.services,
  AWS_ENDPOINT_URL_S3VECTORS: endpoints.services,
  AWS_ENDPOINT_URL_KMS: endpoints.services,
  AWS_ENDPOINT_URL_SESV2: endpoints.services,
  AWS_ENDPOINT_URL_SCHEDULER: endpoints.services,
});

/** Returns credentials as the environment variables of the AWS SDK. */
export const credentialVariables = ({
  accessKeyId,
  secretAccessKey,
  sessionToken,
}: LocalCredentials): Record<string, string> => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
});
