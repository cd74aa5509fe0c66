import type { APIGatewayProxyEvent } from "aws-lambda";

/** Addresses of the API for a caller; without a slash at the end. */
export type PublicAddress = {
  /** Absolute base URL, such as https://api.example.com or https://id.execute-api.eu-west-1.amazonaws.com/live. */
  baseUrl: string;
  /** Path of the base URL, such as /live; empty at the root of a host. */
  basePath: string;
  /** Prefix of links to the API: the base URL if the deployment declares it, or else its path. */
  linkBase: string;
  /** Base URL of the console, with a slash at the end; null without a console. */
  consoleUrl: string | null;
};

/** The members of a proxy event that contain its address. */
export type AddressedEvent = Pick<APIGatewayProxyEvent, "path" | "resource"> & {
  pathParameters?: APIGatewayProxyEvent["pathParameters"];
  stageVariables?: APIGatewayProxyEvent["stageVariables"];
  requestContext: Partial<Pick<APIGatewayProxyEvent["requestContext"], "domainName" | "path">>;
};

/**
 * Returns the API's addresses for the caller of an event. The declared public URL wins: `PUBLIC_URL`, or else the stage
 * variable `publicUrl`, which a stack sets when a distribution is in front of the stage. Otherwise the event's own
 * address: `…/live` for an address of API Gateway, any base path for a custom domain. The console is below the base URL
 * unless its address is declared, too; null declares that there is none.
 */
export const publicAddress = (
  event: AddressedEvent,
  scheme: "http" | "https",
  declared: { api?: string | undefined; console?: string | null | undefined } = {},
): PublicAddress => {
  const publicUrl = declared.api ?? event.stageVariables?.publicUrl;
  const own = publicUrl === undefined ? findOwnAddress(event, scheme) : toAddress(publicUrl);
  const { console: consoleUrl = `${own.baseUrl}/console/` } = declared;
  return { ...own, consoleUrl };
};

const toAddress = (publicUrl: string) => {
  const baseUrl = withoutSlash(publicUrl);
  return { baseUrl, basePath: parsePath(baseUrl), linkBase: baseUrl };
};

const findOwnAddress = (event: AddressedEvent, scheme: "http" | "https") => {
  const basePath = deriveBasePath(event);
  const host = event.requestContext.domainName ?? "";
  return { baseUrl: `${scheme}://${host}${basePath}`, basePath, linkBase: basePath };
};

/** Returns the relative URL of a problem type. */
export const problemType = (slug: string, basePath = ""): string => `${basePath}/problems/${slug}`;

const withoutSlash = (url: string): string => (url.endsWith("/") ? url.slice(0, -1) : url);

const parsePath = (url: string): string => withoutSlash(new URL(url).pathname);

/** The stage is in the path that the caller sent, but not in `path`; the base path of a custom domain is in both. */
const deriveBasePath = ({
  path,
  resource,
  pathParameters,
  requestContext,
}: AddressedEvent): string => {
  const sent = requestContext.path ?? path;
  const stage = sent.endsWith(path) ? sent.slice(0, -path.length) : "";
  return stage + mappedBasePath(path, resource, pathParameters?.proxy);
};

/** Returns the part of a path before its resource. */
const mappedBasePath = (path: string, resource: string, proxy: string | undefined): string => {
  const sent = path.split("/").filter((part) => part !== "");
  const own = (proxy === undefined ? resource : `/${proxy}`)
    .split("/")
    .filter((part) => part !== "");
  const extra = sent.length - own.length;
  const isOwn = (part: string, at: number) => part.startsWith("{") || part === sent[extra + at];
  if (extra <= 0 || !own.every(isOwn)) return "";
  return sent
    .slice(0, extra)
    .map((part) => `/${part}`)
    .join("");
};
