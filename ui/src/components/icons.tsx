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
export const EyeIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="2.8" />
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
export const MinusIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M5 12h14" />
  </Icon>
);
export const ChevronIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="m7 10 5 5 5-5" />
  </Icon>
);
export const PeopleIcon = ({ size }: Props) => (
  <Icon size={size}>
    <circle cx="9" cy="8.5" r="3.2" />
    <path d="M3 19.500c.6-3.300 2.900-5 6-5s5.400 1.700 6 5M15.500 5.600a3.200 3.200 0 0 1 0 5.800M17.600 14.900c1.900.7 3.100 2.300 3.500 4.600" />
  </Icon>
);
export const ClockIcon = ({ size }: Props) => (
  <Icon size={size}>
    <circle cx="12" cy="12" r="8.500" />
    <path d="M12 7.500V12l3 2" />
  </Icon>
);
export const GridIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 4h4.500v4.500H4zM9.800 4h4.500v4.500H9.800zM15.500 4H20v4.500h-4.500zM4 9.800h4.500v4.500H4zM9.800 9.800h4.500v4.500H9.800zM15.500 9.800H20v4.500h-4.500zM4 15.500h4.500V20H4zM9.800 15.500h4.500V20H9.800z" />
  </Icon>
);
export const BoltIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M13 3.500 5.500 13.500H11l-.8 7L18 10.500h-5.500z" />
  </Icon>
);
export const GlobeIcon = ({ size }: Props) => (
  <Icon size={size}>
    <circle cx="12" cy="12" r="8.500" />
    <path d="M3.500 12h17M12 3.500c3 2.500 3.500 5.500 3.500 8.500s-.5 6-3.500 8.500c-3-2.500-3.500-5.500-3.500-8.500S9 6 12 3.500Z" />
  </Icon>
);
export const FlameIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M12 3c.5 3.500 5.500 5.500 5.500 11a5.500 5.500 0 0 1-11 0c0-2.300 1.200-3.800 2.300-5 .3 1.500 1 2.300 1.900 2.700C10.200 8.500 10.500 5.500 12 3Z" />
  </Icon>
);
export const PinIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M12 21c4-4.500 6.500-7.700 6.500-11a6.500 6.500 0 0 0-13 0c0 3.300 2.500 6.500 6.500 11Z" />
    <circle cx="12" cy="10" r="2.300" />
  </Icon>
);
export const SpeechIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 5h16v11h-8.500L7 20v-4H4zM8 9.500h8M8 12.500h5" />
  </Icon>
);
export const CoinsIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 8c0-1.700 2.700-3 6-3s6 1.300 6 3-2.700 3-6 3-6-1.300-6-3zM4 8v4c0 1.700 2.700 3 6 3M4 12v4c0 1.700 2.700 3 6 3M14 13.500c0-1.400 1.600-2.500 3.500-2.500s3.500 1.100 3.500 2.500-1.600 2.500-3.500 2.500-3.500-1.100-3.500-2.500zM14 13.500V18c0 1.400 1.600 2.500 3.500 2.500S21 19.400 21 18v-4.500" />
  </Icon>
);
export const LinkIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M10 14a4 4 0 0 0 5.700 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1" />
  </Icon>
);
export const DeviceIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M3.500 5h13v9.500h-13zM7 18.500h5M18 9h3v10h-5.500v-2" />
  </Icon>
);
export const TagIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 4h7.500L20 12.500 12.500 20 4 11.500z" />
    <circle cx="8.200" cy="8.200" r="1.200" />
  </Icon>
);
export const NoteIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M5 4h14v11l-5 5H5zM14 20v-5h5M8.500 8.500h7M8.500 12h4" />
  </Icon>
);
export const CodeIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="m8.500 8-4 4 4 4M15.500 8l4 4-4 4M13.500 5l-3 14" />
  </Icon>
);
export const FlaskIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M9 3h6M10 3v6.5L4.6 18a2 2 0 0 0 1.7 3h11.4a2 2 0 0 0 1.7-3L14 9.5V3M7.5 15h9" />
  </Icon>
);
export const InboxIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 13.500 6.500 5h11l2.500 8.500V19H4zM4 13.500h4.500a3.500 3.500 0 0 0 7 0H20" />
  </Icon>
);
export const AppsIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 4h6.500v6.500H4zM13.500 4H20v6.500h-6.500zM4 13.500h6.500V20H4zM13.500 13.500H20V20h-6.500z" />
  </Icon>
);
export const ShieldIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M12 3.500 19 6v5.500c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6zM9 12l2.200 2.200L15.200 10" />
  </Icon>
);
export const KeyIcon = ({ size }: Props) => (
  <Icon size={size}>
    <circle cx="8" cy="15" r="4" />
    <path d="m11 12 8-8M16 7l3 3M13.500 9.500l2 2" />
  </Icon>
);
export const InfoIcon = ({ size }: Props) => (
  <Icon size={size}>
    <circle cx="12" cy="12" r="8.500" />
    <path d="M12 11v5M12 8v.01" />
  </Icon>
);
export const PulseIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M3 12.500h4l2.500-6.500 4.500 12.500 2.500-6H21" />
  </Icon>
);
export const PauseIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M8.500 6v12M15.500 6v12" />
  </Icon>
);
export const PlayIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="m8 5.500 10.500 6.500L8 18.500z" />
  </Icon>
);
export const BellIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15zM10 20.500h4" />
  </Icon>
);
export const FunnelIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 5h16l-6.500 7.500v6L10.500 20v-7.500z" />
  </Icon>
);
export const FlowIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 5v14M20 5v6M20 15v4M4 8c8 0 8 0 16 0M4 16c8 0 8 1 16 1" />
  </Icon>
);
export const SearchIcon = ({ size }: Props) => (
  <Icon size={size}>
    <circle cx="11" cy="11" r="6.500" />
    <path d="m16 16 4.500 4.500" />
  </Icon>
);
export const ImageIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 5h16v14H4zM4 16l5-5 4 4 2.500-2.500L20 17" />
    <circle cx="15" cy="9" r="1.300" />
  </Icon>
);
export const ColumnsIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 5h16v14H4zM9.300 5v14M14.700 5v14" />
  </Icon>
);
export const KeyboardIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M3 6.500h18v11H3zM6.500 10h.01M10 10h.01M13.500 10h.01M17 10h.01M8 14h8" />
  </Icon>
);
export const TrashIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7M10.300 10.500v6M13.700 10.500v6" />
  </Icon>
);
export const EditIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4.500 19.500 5.500 15 16 4.500l3.500 3.500L9 18.500z" />
  </Icon>
);
export const HistoryIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 5v4.500h4.500M4.300 9.500A8.300 8.300 0 1 1 3.700 13M12 7.800V12l2.800 1.800" />
  </Icon>
);
export const TasksIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="m4 6.500 1.500 1.500L8 5.500M4 12.500 5.500 14 8 11.500M4 18.500 5.500 20 8 17.500M11.500 7H20M11.500 13H20M11.500 19H20" />
  </Icon>
);
export const ListIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M4 6.500h16M4 11h16M4 15.500h10M4 20h7M17.500 15.500v5M15 18h5" />
  </Icon>
);
export const HealthIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M3 12.500h4l2.500-6.500 4.500 12 2.500-5.500H21" />
  </Icon>
);
export const HourglassIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M6.500 3.500h11M6.500 20.500h11M8 3.500c0 5 4 5.500 4 8.500s-4 3.500-4 8.500M16 3.500c0 5-4 5.500-4 8.500s4 3.500 4 8.500" />
  </Icon>
);
export const StarIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="m12 4 2.500 5.200 5.700.8-4.100 4 1 5.700L12 17l-5.100 2.700 1-5.700-4.100-4 5.700-.8z" />
  </Icon>
);
export const FormulaIcon = ({ size }: Props) => (
  <Icon size={size}>
    <path d="M14.500 4.500c-2-.8-3.500.2-3.900 2.500L8.700 17.500c-.4 2.200-1.800 3-3.700 2.200M7.500 10.500h6M14.500 13.500l5 6M19.500 13.500l-5 6" />
  </Icon>
);
