import type { ReactNode } from 'react';

// Line icons of one family: 24 by 24, drawn with the text's colour, hidden from screen readers.
function Icon({ size = 20, children }: { size?: number | undefined; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable="false"
    >
      {children}
    </svg>
  );
}

interface Props {
  size?: number;
}

/** The brand's mark, a quipu that reads as a chart. */
export function Logo({ size = 28 }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden focusable="false">
      <rect width="32" height="32" rx="8" fill="#3b4cca" />
      <path d="M6 8.5h20" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
      <path d="M9.5 9v15M16 9v15M22.5 9v15" stroke="#fff" strokeOpacity=".55" strokeWidth="1.6" strokeLinecap="round" />
      <circle cx="9.5" cy="20" r="2.5" fill="#ffd166" />
      <circle cx="16" cy="16.4" r="2.5" fill="#ffd166" />
      <circle cx="22.5" cy="13.2" r="2.5" fill="#ffd166" />
      <circle cx="22.5" cy="20" r="2.5" fill="#fff" />
    </svg>
  );
}

export const CordsIcon = ({ size = 26 }: Props) => (
  <Icon size={size}>
    <path d="M3 5h18M6 5v14M12 5v14M18 5v14" />
    <circle cx="6" cy="15" r="1.6" fill="currentColor" />
    <circle cx="12" cy="12" r="1.6" fill="currentColor" />
    <circle cx="18" cy="9" r="1.6" fill="currentColor" />
  </Icon>
);
export const AlertIcon = ({ size = 26 }: Props) => (
  <Icon size={size}>
    <path d="M12 8v5M12 16.5v.01M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z" />
  </Icon>
);
export const ChartIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 4v16h16M8 15l4-5 3 3 5-6" />
  </Icon>
);
export const TableIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M3.5 5.5h17v13h-17zM3.5 10h17M3.5 14.3h17M10 5.5v13" />
  </Icon>
);
export const SettingsIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 7h10M18 7h2M4 12h3M11 12h9M4 17h8M16 17h4" />
    <circle cx="16" cy="7" r="2" />
    <circle cx="9" cy="12" r="2" />
    <circle cx="14" cy="17" r="2" />
  </Icon>
);
export const CalendarIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 6.5h16v13H4zM4 10.5h16M8 4v4M16 4v4" />
  </Icon>
);
export const DownloadIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M12 4v11M7.5 11 12 15.5 16.5 11M5 19.5h14" />
  </Icon>
);
export const PersonIcon = ({ size }: Props) => (
  <Icon size={size}>
    <circle cx="12" cy="8" r="3.6" />
    <path d="M5 20c.8-3.8 3.5-5.6 7-5.6s6.2 1.8 7 5.6" />
  </Icon>
);
export const CopyIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M9 9h10.500v10.500H9zM15 9V4.500H4.500V15H9" />
  </Icon>
);
export const CheckIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="m5 12.5 4.5 4.500L19 7.5" />
  </Icon>
);
export const PlusIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M12 5v14M5 12h14" />
  </Icon>
);
export const ChevronIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="m7 10 5 5 5-5" />
  </Icon>
);
