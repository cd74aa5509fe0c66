/** Creates a browser: a `fetch` with the cookies of each origin, which follows no redirect. */
export const browserSession = () => {
  const jars = new Map<string, Map<string, string>>();
  const visit = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...(cookie && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const at = pair.indexOf("=");
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
  return {
    visit,
    /** Follows redirects until one leads to an address that starts with `until`; returns that address. */
    follow: async (from: string, until: string): Promise<string> => {
      let url = from;
      for (let hops = 0; hops < 20; hops += 1) {
        if (url.startsWith(until)) return url;
        const response = await visit(url);
        const location = response.headers.get("location");
        if (!location) throw new Error(`${response.status} ${await response.text()}`);
        url = new URL(location, url).href;
      }
      throw new Error("too many redirects");
    },
  };
};
