import * as z from "zod";
import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  CreateFileUploadBody,
  FileName,
  FileRetentionDays,
  StoredFile,
  UploadAddress,
} from "../../lib/files/schemas.ts";
import { Uuid } from "../../lib/platform/http/ids.ts";
import { RawBody } from "../../lib/platform/http/raw-body.ts";

const route = createDefineRoute("files");
const params = { file: Uuid };

export const createFile = route({
  operation: "create-file",
  creates: "File",
  method: "POST",
  path: "/v1/tenants/{tenant}/files",
  summary: "Stores a file of up to 4 MiB, for inputs of agents",
  scope: "agents:execute",
  query: { name: FileName, retentionDays: FileRetentionDays },
  body: RawBody,
  response: { status: 201, schema: StoredFile },
  access: { table: "write", bucket: "put" },
});

export const createFileUpload = route({
  operation: "create-file-upload",
  creates: "File",
  method: "POST",
  path: "/v1/tenants/{tenant}/files:upload",
  summary: "Creates an address to upload a file of up to 64 MiB to",
  scope: "agents:execute",
  body: CreateFileUploadBody,
  response: { status: 201, schema: UploadAddress },
  shownOnce: ["uploadUrl"],
  access: { table: "write", bucket: "put" },
});

export const completeFileUpload = route({
  operation: "complete-file-upload",
  changes: "File",
  method: "POST",
  path: "/v1/tenants/{tenant}/files/{file}:complete",
  summary: "Stores the file that was uploaded",
  scope: "agents:execute",
  params,
  response: { status: 200, schema: StoredFile },
  problems: ["conflict"],
  access: { table: "write", bucket: "write" },
});

export const getFile = route({
  operation: "get-file",
  method: "GET",
  path: "/v1/tenants/{tenant}/files/{file}",
  summary: "Retrieves a file's name, media type and size",
  scope: "executions:read",
  starterScope: "agents:execute",
  params,
  response: { status: 200, schema: StoredFile },
  access: { table: "read" },
});

export const getFileContent = route({
  operation: "get-file-content",
  method: "GET",
  path: "/v1/tenants/{tenant}/files/{file}/content",
  summary: "Redirects to an address that downloads a file",
  scope: "executions:read",
  starterScope: "agents:execute",
  // Clients of A2A and MCP are sent its address.
  takesBearerKeys: true,
  params,
  query: {
    redirect: z
      .enum(["true", "false"])
      .default("true")
      .meta({ description: "`false`: the address is in the body of a 200, for browsers." }),
  },
  response: { status: 302 },
  reply: {
    description: "With `redirect=false`: the address, which downloads the file for five minutes.",
    examples: {
      "application/json": { url: "https://wharf.s3.eu-central-1.amazonaws.com/files/30/..." },
    },
  },
  access: { table: "read", bucket: "read" },
});

export const deleteFile = route({
  operation: "delete-file",
  changes: "File",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/files/{file}",
  summary: "Deletes a file and its content",
  scope: "agents:execute",
  params,
  response: { status: 204 },
  access: { table: "write", bucket: "write" },
});
