/** Bytes of a request and its response, headers included. */
export type Traffic = { requestBytes: number; responseBytes: number };

/** Most requests and responses are short. */
const short: Traffic = { requestBytes: 1_000, responseBytes: 2_000 };

/** A push of 7.6 KB is acknowledged with an empty body. */
const push: Traffic = { requestBytes: 9_000, responseBytes: 500 };

/** A page of 50 records of about 700 bytes. */
const page: Traffic = { requestBytes: 1_000, responseBytes: 36_000 };

/** Returns the assumed bytes of one request of a unit of work. */
export const estimateTraffic = (unit: string): Traffic => {
  if (unit.includes("push")) return push;
  return unit.startsWith("list") ? page : short;
};
