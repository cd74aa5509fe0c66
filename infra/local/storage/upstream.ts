import { connect, type Socket } from "node:net";

/** An answer of an upstream server. */
export type UpstreamAnswer = {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
};

/** Posts to one server over kept connections. */
export type Upstream = {
  post: (headers: Readonly<Record<string, string>>, body: Buffer) => Promise<UpstreamAnswer>;
  close: () => void;
};

type Waiting = { resolve: (answer: UpstreamAnswer) => void; reject: (error: Error) => void };

/**
 * A minimal HTTP/1.1 client for the local DynamoDB engine, which sits under every storage call: it
 * always answers with a Content-Length, so an answer is a head, a length and that many bytes.
 * A broken connection rejects the request that was on it; nothing is sent twice.
 */
export const createUpstream = (host: string, port: number): Upstream => {
  const idle: Connection[] = [];
  const all = new Set<Connection>();

  const open = (): Connection => {
    const connection = createConnection(connect({ host, port, noDelay: true }), () => {
      all.delete(connection);
      const at = idle.indexOf(connection);
      if (at !== -1) idle.splice(at, 1);
    });
    all.add(connection);
    return connection;
  };

  return {
    post: async (headers, body) => {
      const connection = idle.pop() ?? open();
      let head = `POST / HTTP/1.1\r\nhost: ${host}:${port}\r\ncontent-length: ${body.length}\r\n`;
      for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
      const answer = await connection.exchange(
        Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), body]),
      );
      idle.push(connection);
      return answer;
    },
    close: () => {
      for (const connection of all) connection.close();
    },
  };
};

type Connection = { exchange: (request: Buffer) => Promise<UpstreamAnswer>; close: () => void };

const headEnd = Buffer.from("\r\n\r\n");

const createConnection = (socket: Socket, onClosed: () => void): Connection => {
  let waiting: Waiting | undefined;
  let received: Buffer[] = [];
  let size = 0;
  let needed = 0;
  let head: Omit<UpstreamAnswer, "body"> | undefined;
  let bodyStart = 0;

  const fail = (error: Error): void => {
    onClosed();
    waiting?.reject(error);
    waiting = undefined;
    socket.destroy();
  };

  socket.on("data", (chunk) => {
    received.push(chunk);
    size += chunk.length;
    if (head === undefined) {
      const start = received.length === 1 ? chunk : Buffer.concat(received);
      received = [start];
      const end = start.indexOf(headEnd);
      if (end === -1) return;
      head = readHead(start.toString("latin1", 0, end));
      bodyStart = end + headEnd.length;
      const length = head.headers.get("content-length");
      if (length === undefined) return fail(new Error("an answer without a Content-Length"));
      needed = bodyStart + Number(length);
    }
    if (size < needed) return;
    const whole = received.length === 1 ? received[0] : Buffer.concat(received);
    const answer = { ...head, body: (whole ?? Buffer.alloc(0)).subarray(bodyStart, needed) };
    received = [];
    size = 0;
    head = undefined;
    const done = waiting;
    waiting = undefined;
    done?.resolve(answer);
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the local DynamoDB engine closed the connection")));

  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
};

const readHead = (text: string): Omit<UpstreamAnswer, "body"> => {
  const lines = text.split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(":");
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(lines[0]?.split(" ")[1]), headers };
};
