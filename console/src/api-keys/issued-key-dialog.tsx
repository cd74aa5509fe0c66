import { Text } from "@mantine/core";
import type { IssuedApiKey } from "../../../client/openapi.ts";
import { SecretField } from "../shared/secret-field.tsx";
import { ShownOnceDialog } from "../shared/shown-once-dialog.tsx";

type IssuedKeyDialogProps = { issued: IssuedApiKey; wasRotated: boolean; onClose: () => void };

/** Shows the secret of a key, once. */
export const IssuedKeyDialog = ({ issued, wasRotated, onClose }: IssuedKeyDialogProps) => (
  <ShownOnceDialog title={wasRotated ? "New secret" : "Key created"} onClose={onClose}>
    <Text>Copy the secret of “{issued.name}” now: it is never shown again.</Text>
    <SecretField label="API key" value={issued.key} />
  </ShownOnceDialog>
);
