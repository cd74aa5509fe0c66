import type { ReactNode } from "react";

const icon = (content: ReactNode) => () => (
  <svg
    width="20"
    height="20"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {content}
  </svg>
);

export const AgentIcon = icon(
  <path d="M12 4v3M7 7h10a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2zM9 12v1M15 12v1M9.5 16h5" />,
);
export const HomeIcon = icon(<path d="m4 11 8-7 8 7v9h-5v-6H9v6H4z" />);
export const ExecutionIcon = icon(<path d="M4 6h9M7 12h10M11 18h9" />);
export const ApprovalIcon = icon(<path d="M5 4h14v16H5zM8.500 12.500l2.500 2.500 4.500-5.500" />);
export const KeyIcon = icon(
  <path d="M15 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11.5 12.5 4 20M6 18l2 2M9 15l2 2M15.5 8.5h.01" />,
);
export const WebhookIcon = icon(
  <path d="M9 8a3 3 0 1 1 5.6 1.5L17 14M12 8l-3.5 6.500M6 12.500A3.500 3.500 0 1 0 9.500 17H16M17 14a3 3 0 1 1-1.500 5.600" />,
);
export const ConnectorIcon = icon(
  <path d="M4 6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-6l-5 4v-4H6a2 2 0 0 1-2-2z" />,
);
export const AccessIcon = icon(
  <path d="M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM3 20c0-3.500 2.500-6 6-6 1.500 0 2.900.5 4 1.400M15 18l2 2 4-4.500" />,
);
export const KnowledgeIcon = icon(
  <path d="M4 5a2 2 0 0 1 2-2h13v15H6a2 2 0 0 0-2 2zm0 15a2 2 0 0 0 2 2h13v-4M9 7h6" />,
);
export const SkillIcon = icon(
  <path d="m12 3 2.700 5.600 6.100.8-4.500 4.300 1.100 6.100L12 16.900 6.600 19.800l1.100-6.100L3.200 9.400l6.100-.8z" />,
);
export const IntegrationIcon = icon(<path d="M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4" />);
export const ModelIcon = icon(
  <path d="M8 8h8v8H8zM5 5h14v14H5zM9 2v3M15 2v3M9 19v3M15 19v3M2 9h3M2 15h3M19 9h3M19 15h3" />,
);
export const DatasetIcon = icon(
  <path d="M12 3c4.400 0 8 1.300 8 3s-3.600 3-8 3-8-1.300-8-3 3.600-3 8-3zM4 6v12c0 1.700 3.600 3 8 3s8-1.300 8-3V6M4 12c0 1.700 3.600 3 8 3s8-1.300 8-3" />,
);
export const ExperimentIcon = icon(
  <path d="M9 3h6M10 3v6L4.500 18a2 2 0 0 0 1.700 3h11.600a2 2 0 0 0 1.700-3L14 9V3M7.500 15h9" />,
);
export const UsageIcon = icon(<path d="M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6" />);
export const ThumbUpIcon = icon(
  <path d="M4 10h3v10H4zM7 11l4-8c1.500 0 2.500 1 2.500 2.500V9H18a2 2 0 0 1 2 2.300l-1.200 7A2 2 0 0 1 16.800 20H7" />,
);
export const ThumbDownIcon = icon(
  <path d="M4 14h3V4H4zM7 13l4 8c1.500 0 2.500-1 2.500-2.500V15H18a2 2 0 0 0 2-2.300l-1.200-7A2 2 0 0 0 16.800 4H7" />,
);
export const BackIcon = icon(<path d="M15 5l-7 7 7 7" />);
export const MoreIcon = icon(<path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />);
export const SunIcon = icon(
  <path d="M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600 19 19M5 19l1.400-1.400M17.600 6.400 19 5" />,
);
export const UserIcon = icon(
  <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.500-6.500 8-6.500s8 2.500 8 6.500" />,
);
export const GuardrailIcon = icon(
  <path d="M12 3l7 2.500v5.500c0 4.500-3 8-7 10-4-2-7-5.500-7-10V5.500zM9 12l2 2 4-4" />,
);
export const MemberIcon = icon(
  <path d="M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM3 20c0-3.500 2.500-6 6-6s6 2.500 6 6M16 4.500a3.500 3.500 0 0 1 0 6M18 14.500c1.900.9 3 2.900 3 5.500" />,
);
export const SearchIcon = icon(<path d="M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.500 4.500" />);
export const UndoIcon = icon(<path d="M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3" />);
export const RedoIcon = icon(<path d="m16 5 4 4-4 4M20 9H10a6 6 0 0 0 0 12h3" />);
