import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  type IOrigin,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { CfnOutput, Duration, Fn, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import { originSecretHeader, viewerAddressHeader } from "../../lib/edge/viewer-address.ts";
import {
  type ConsoleOrigins,
  contentSecurityPolicy,
  otherConsoleHeaders,
} from "../console/console-headers.ts";
import { type ConsoleSignIn, externalSignIn } from "../console/console-sign-in.ts";
import { acknowledge } from "../constructs/acknowledge.ts";
import { viewerIpHeader } from "../constructs/web-acl-rules.ts";
import type { Config } from "../settings/config.ts";
import { stageName } from "../settings/names.ts";
import type { TokenIssuer } from "../settings/token-issuer.ts";
import { routeConsoleRequest } from "./console-router.ts";
import { addViewerIp } from "./viewer-ip.ts";

type ConsoleStackProps = StackProps & {
  config: Config;
  tokens: TokenIssuer;
  /** ID of the REST API. */
  restApiId: string;
  /** Reference to the secret by which the distribution identifies itself to the API. */
  originSecret: string;
  /** ARN of the bucket with stored files. */
  filesBucketArn: string;
};

/**
 * The console: a private bucket behind a distribution, which passes calls of the API on. One origin, no CORS; only stored files
 * are sent to and shown from the bucket of the data.
 */
export class ConsoleStack extends Stack {
  constructor(scope: Construct, id: string, props: ConsoleStackProps) {
    super(scope, id, props);
    const { config, tokens, restApiId, originSecret, filesBucketArn } = props;
    const bucket = makeBucket(this);
    const api = apiBehavior(
      // With a domain, the API's own address is closed.
      new HttpOrigin(
        config.DOMAIN_NAME ?? `${restApiId}.execute-api.${this.region}.${this.urlSuffix}`,
        {
          ...(config.DOMAIN_NAME === undefined && { originPath: `/${stageName}` }),
          // Its resource policy can read this header, its functions the other one.
          customHeaders: { [originSecretHeader]: originSecret, Referer: originSecret },
          // Longer than a plain call waits, and than the pauses of an event stream.
          readTimeout: Duration.seconds(60),
        },
      ),
      uncachedPolicy(this, config),
      apiHeadersPolicy(this, config.STACK_PREFIX),
      config.WEB_ACL ? viewerIpFunction(this) : undefined,
    );
    const distribution = new Distribution(this, "Distribution", {
      comment: `${config.STACK_PREFIX} console`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket, {
          originAccessControl: new S3OriginAccessControl(this, "Access", {
            originAccessControlName: accountName(this, config.STACK_PREFIX, "console"),
          }),
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        // Follows the Cache-Control of each object: hashed assets for ever, the rest not at all.
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: consoleHeadersPolicy(this, config.STACK_PREFIX, {
          issuer: issuerOrigins(tokens),
          storage: bucketOrigin(this, filesBucketArn),
        }),
        functionAssociations: [
          { eventType: FunctionEventType.VIEWER_REQUEST, function: consoleRouter(this) },
        ],
      },
      errorResponses: uncachedErrors,
      additionalBehaviors: {
        "/v1/*": api,
        "/problems/*": api,
        "/health": api,
        "/.well-known/oauth-protected-resource/*": api,
      },
    });
    acknowledge(distribution, "CFR1", "Users may be anywhere.");
    acknowledge(
      distribution,
      "CFR2",
      "WEB_ACL protects the API behind it; files of the console are public and cheap.",
    );
    acknowledge(
      distribution,
      "CFR3",
      "The API logs its calls, with resources in place of paths that hold keys.",
    );
    acknowledge(
      distribution,
      "CFR4",
      "The default certificate of CloudFront is used until a domain is added.",
    );
    new CfnOutput(this, "ConsoleUrl", { value: `https://${distribution.domainName}/console/` });
    new CfnOutput(this, "ConsoleBucket", { value: bucket.bucketName });
    const signIn = toConsoleSignIn(config, tokens);
    new CfnOutput(this, "ConsoleConfig", { value: this.toJsonString(signIn) });
  }
}

const makeBucket = (scope: Construct): Bucket => {
  const bucket = new Bucket(scope, "Site", {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    // Pages that are open load the assets of their version.
    lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    removalPolicy: RemovalPolicy.RETAIN,
  });
  acknowledge(
    bucket,
    "S1",
    "It contains only the console's files, which a deployment writes again.",
  );
  return bucket;
};

/**
 * Caches nothing, as the API's responses are `no-store`, and adds the viewer's address to requests. The managed policy for
 * that adds no headers, and a policy of origin requests adds them only together with `Host`, by which API Gateway would not
 * find the API. What is in the key cannot be that of another caller.
 */
const uncachedPolicy = (scope: Stack, config: Config): CachePolicy =>
  new CachePolicy(scope, "Uncached", {
    cachePolicyName: accountName(scope, config.STACK_PREFIX, "api"),
    comment: "No caching, with the address of the viewer",
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    // Headers are added from one second on.
    maxTtl: Duration.seconds(1),
    headerBehavior: CacheHeaderBehavior.allowList(
      viewerAddressHeader,
      "Authorization",
      "X-API-KEY",
      ...(config.WEB_ACL ? [viewerIpHeader] : []),
    ),
    queryStringBehavior: CacheQueryStringBehavior.all(),
    cookieBehavior: CacheCookieBehavior.none(),
  });

/** Error statuses that CloudFront caches for 10 seconds by default, even for uncached behaviors. */
const uncachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map(
  (httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) }),
);

const apiBehavior = (
  origin: IOrigin,
  cachePolicy: CachePolicy,
  headers: ResponseHeadersPolicy,
  edge: EdgeFunction | undefined,
): BehaviorOptions => ({
  origin,
  ...(edge !== undefined && {
    functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: edge }],
  }),
  responseHeadersPolicy: headers,
  allowedMethods: AllowedMethods.ALLOW_ALL,
  cachePolicy,
  originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  // A redirect would repeat a request with a credential that was sent in clear.
  viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  compress: false,
});

const consoleRouter = (scope: Construct): EdgeFunction =>
  new EdgeFunction(scope, "Router", {
    runtime: FunctionRuntime.JS_2_0,
    comment: "Leads to the console, and all of its addresses to its page",
    code: FunctionCode.fromInline(`var handler = ${routeConsoleRequest.toString()}`),
  });

/** A web ACL cannot read the address and port that CloudFront sends as one value. */
const viewerIpFunction = (scope: Construct): EdgeFunction =>
  new EdgeFunction(scope, "ViewerIp", {
    runtime: FunctionRuntime.JS_2_0,
    comment: "Adds the address of the viewer for the web ACL of the API",
    code: FunctionCode.fromInline(`var handler = ${addViewerIp.toString()}`),
  });

/** Origins that pages of the console connect to for the sign-in. */
const issuerOrigins = ({ issuer, loginUrl }: TokenIssuer): string[] => {
  const origin = Fn.join("", ["https://", Fn.select(2, Fn.split("/", issuer))]);
  return [origin, ...(loginUrl === undefined ? [] : [loginUrl])];
};

/** Origin of the addresses that the API signs for files in a bucket. */
const bucketOrigin = ({ region, urlSuffix }: Stack, arn: string): string =>
  `https://${Fn.select(5, Fn.split(":", arn))}.s3.${region}.${urlSuffix}`;

const toConsoleSignIn = (
  config: Config,
  { audience, issuer, loginUrl, roleClaim }: TokenIssuer,
): ConsoleSignIn =>
  config.OIDC_ISSUER === undefined
    ? {
        issuer,
        clientId: audience,
        bearer: "id_token",
        roleClaim,
        ...(loginUrl !== undefined && { cognitoLogout: `${loginUrl}/logout` }),
      }
    : externalSignIn(config);

const strictTransportSecurity = {
  accessControlMaxAge: Duration.days(365),
  includeSubdomains: false,
  override: true,
};

/** Name of a policy of CloudFront, unique in the account: installations of other regions may have the same prefix. */
const accountName = (stack: Stack, prefix: string, name: string): string =>
  `${prefix}-${name}-${stack.region}`;

/** The API sets its other headers itself. */
const apiHeadersPolicy = (scope: Stack, prefix: string): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, "ApiHeaders", {
    responseHeadersPolicyName: accountName(scope, prefix, "api"),
    securityHeadersBehavior: { strictTransportSecurity },
  });

const consoleHeadersPolicy = (
  scope: Stack,
  prefix: string,
  origins: ConsoleOrigins,
): ResponseHeadersPolicy =>
  new ResponseHeadersPolicy(scope, "Headers", {
    responseHeadersPolicyName: accountName(scope, prefix, "console"),
    securityHeadersBehavior: {
      contentSecurityPolicy: {
        contentSecurityPolicy: contentSecurityPolicy(origins),
        override: true,
      },
      contentTypeOptions: { override: true },
      frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
      referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
      strictTransportSecurity,
    },
    customHeadersBehavior: {
      customHeaders: Object.entries(otherConsoleHeaders).map(([header, value]) => ({
        header,
        value,
        override: true,
      })),
    },
  });
