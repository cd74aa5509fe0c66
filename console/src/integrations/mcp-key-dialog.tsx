import { Text } from "@mantine/core";
import { SecretField } from "../shared/secret-field.tsx";
import { ShownOnceDialog } from "../shared/shown-once-dialog.tsx";

type McpKeyDialogProps = { name: string; mcpKey: string; onClose: () => void };

/** Shows the key of an MCP server, once. */
export const McpKeyDialog = ({ name, mcpKey, onClose }: McpKeyDialogProps) => (
  <ShownOnceDialog title="Key of the MCP server" onClose={onClose}>
    <Text>Copy the key of “{name}” now: it is never shown again.</Text>
    <SecretField label="MCP key" value={mcpKey} description="Sent in the header X-API-KEY." />
  </ShownOnceDialog>
);
