/** Responds, and no more. */
export const handler = async () => ({ statusCode: 200, body: JSON.stringify({ status: "ok" }) });
