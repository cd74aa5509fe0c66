import { createServer } from "node:http";

/* Responds to each call of DynamoDB with the same small item, in a process of its own. */

const item = JSON.stringify({ Item: { pk: { S: "T#demo" }, name: { S: "x".repeat(400) } } });

const server = createServer((incoming, response) => {
  incoming.resume().on("end", () => {
    response.setHeader("content-type", "application/x-amz-json-1.0");
    response.end(item);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
