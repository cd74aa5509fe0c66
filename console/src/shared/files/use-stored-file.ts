import { useMutation, useQuery } from "@tanstack/react-query";
import { unwrapBody, type WharfClient } from "../../../../client/client.ts";
import { useMay } from "../../session/permissions.ts";
import { useClient } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { notifyProblem } from "../notify.ts";
import { isNotFound, shownProblem } from "../problem.ts";

const path = "/v1/tenants/{tenant}/files/{file}";

/** Reports whether the user may read files: of all executions, or of their own. */
export const useMayReadFiles = (): boolean => {
  const may = useMay();
  return may("executions:read") || may("agents:execute");
};

/** Reads a stored file's name, media type, size and expiry. */
export const readFile = (client: WharfClient, tenant: string, file: string) =>
  unwrapBody(client.GET(path, { params: { path: { tenant, file } } }));

const staleMilliseconds = 60_000;

/** Reads a stored file again, to see whether it still exists. */
export const useStoredFile = (file: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "files", file],
    queryFn: () => readFile(client, tenant, file),
    enabled: useMayReadFiles(),
    staleTime: staleMilliseconds,
  });
};

const readAddress = async (client: WharfClient, tenant: string, file: string): Promise<string> => {
  const address = await unwrapBody(
    client.GET(`${path}/content`, {
      params: { path: { tenant, file }, query: { redirect: "false" } },
    }),
  );
  const { url } = Object(address);
  if (typeof url !== "string") throw new Error("The response has no URL.");
  return url;
};

/** An address is valid for five minutes. */
const addressMilliseconds = 4 * 60_000;

/** Reads the address of a file's content, to show an image. */
export const useFileAddress = (file: string, isShown: boolean) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "files", file, "content"],
    queryFn: () => readAddress(client, tenant, file),
    enabled: isShown,
    staleTime: addressMilliseconds,
    gcTime: addressMilliseconds,
  });
};

/** Shown for a file that cannot be read. */
export const goneText = "This file was deleted or has expired, or you may not read it.";

/** Downloads a file: its address has the browser save it, and stay on the page. */
export const useDownload = (file: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useMutation({
    mutationFn: () => readAddress(client, tenant, file),
    onSuccess: (url) => location.assign(url),
    onError: (error) => {
      const { title, detail } = shownProblem(error);
      notifyProblem({ message: isNotFound(error) ? goneText : `${title}. ${detail}` });
    },
    gcTime: 0,
  });
};
