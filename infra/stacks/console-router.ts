/** A viewer's request, as CloudFront Functions get it. */
type ViewerRequest = { uri: string };
type Redirect = {
  statusCode: number;
  statusDescription: string;
  headers: Record<string, { value: string }>;
};

/**
 * Leads `/` to the console, and addresses of its pages to its index. Its source is the function at the edge: it refers
 * to nothing outside.
 */
export const routeConsoleRequest = (event: {
  request: ViewerRequest;
}): ViewerRequest | Redirect => {
  const request = event.request;
  const uri = request.uri;
  if (uri === "/" || uri === "/console") {
    const headers = {
      location: { value: "/console/" },
      "cache-control": { value: "no-store" },
      // No policy adds headers to a response that is made here.
      "strict-transport-security": { value: "max-age=31536000" },
    };
    return { statusCode: 302, statusDescription: "Found", headers: headers };
  }
  const files = ["/console/config.json", "/console/favicon.svg"];
  if (uri.startsWith("/console/") && !uri.startsWith("/console/assets/") && !files.includes(uri)) {
    request.uri = "/console/index.html";
  }
  return request;
};
