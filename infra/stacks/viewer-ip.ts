/** A viewer's request, as CloudFront Functions get it. */
type ViewerEvent = {
  viewer: { ip: string };
  request: { headers: Record<string, { value: string }> };
};

/**
 * Adds the address of the viewer to a request, in place of one that the viewer sent. Its source is the function at the
 * edge: it refers to nothing outside.
 */
export const addViewerIp = (event: ViewerEvent): ViewerEvent["request"] => {
  const request = event.request;
  request.headers["x-wharf-viewer-ip"] = { value: event.viewer.ip };
  return request;
};
