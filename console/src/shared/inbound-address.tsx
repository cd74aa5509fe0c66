import { Button, Group, Stack, Text } from "@mantine/core";
import { unwrapBody } from "../../../client/client.ts";
import { useMay } from "../session/permissions.ts";
import { ProblemAlert } from "./problem-alert.tsx";
import { SecretField } from "./secret-field.tsx";
import { useAction } from "./use-action.ts";

type InboundAddressProps = {
  /** Address without a key. */
  url: string;
  /** Name of the key that can be created. */
  keyName: string;
};

/** Address that a provider sends to. A key for it can be created, which is shown once. */
export const InboundAddress = ({ url, keyName }: InboundAddressProps) => {
  const mayCreate = useMay()("keys:write");
  const create = useAction(["api-keys"], ({ client, tenant }) =>
    unwrapBody(
      client.POST("/v1/tenants/{tenant}/apiKeys:generate", {
        params: { path: { tenant } },
        body: { name: keyName, scopes: ["inbound:deliver"] },
      }),
    ),
  );
  const key = create.data?.key;
  return (
    <Stack gap="xs">
      <SecretField label="Address" value={url} />
      {key ? (
        <SecretField
          label="URL with key"
          description="Copy it now: it is never shown again. The key is listed under API keys."
          value={`${url}/${key}`}
        />
      ) : (
        <Group gap="sm">
          <Text size="sm" c="dimmed" flex={1} miw={260}>
            To authenticate senders by a key, add a slash and an API key that has only the scope
            inbound:deliver.
          </Text>
          {mayCreate && (
            <Button
              variant="default"
              size="xs"
              loading={create.isPending}
              onClick={() => create.mutate()}
            >
              {" "}
              Create key{" "}
            </Button>
          )}
        </Group>
      )}
      <ProblemAlert error={create.error} />
    </Stack>
  );
};
