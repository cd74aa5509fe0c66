import { Agent, type IncomingHttpHeaders, request } from "node:http";

/** A response of an upstream server. */
export type UpstreamResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Posts to one server over keep-alive connections. */
export type Upstream = {
  post: (headers: Readonly<Record<string, string>>, body: Buffer) => Promise<UpstreamResponse>;
  close: () => void;
};

/** Creates a client of the server at `baseUrl`. Never retries: a broken connection rejects the request. */
export const createUpstream = (baseUrl: string): Upstream => {
  const agent = new Agent({ keepAlive: true });
  return {
    post: (headers, body) =>
      new Promise((resolve, reject) => {
        const sent = request(baseUrl, { agent, method: "POST", headers }, async (response) => {
          try {
            const chunks: Buffer[] = await response.toArray();
            const { statusCode: status = 0, headers } = response;
            resolve({ status, headers, body: Buffer.concat(chunks) });
          } catch (error) {
            reject(error);
          }
        });
        sent.on("error", reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
};
