/** Outlines on a grid of 24, drawn for this app. */
const PATHS = {
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  attachment:
    'M20 11.500l-8.500 8.500a5 5 0 0 1-7-7L13.500 4a3.500 3.500 0 0 1 5 5l-8.500 8.500a2 2 0 0 1-3-3l7.500-7.500',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M7 10l5 5 5-5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  drafts: 'M5 20l1-5L16.500 4.500l3.500 3.500L9.500 18.500zM14 7l3.500 3.500M13 20h8',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  key: 'M15 4a5 5 0 1 1-4.6 7H8v3H5v3H2v-3l8.4-5A5 5 0 0 1 15 4zM16 8.5v.01',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  leave: 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4',
  inbox: 'M4 13l2.500-8h11L20 13v6H4zM4 13h5l1.500 2.500h3L15 13h5',
  mailbox: 'M3 6h18v12H3zM3 7l9 6 9-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.500-6s6 2 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2 .8 3.200 2.700 3.500 5.500',
  plus: 'M12 5v14M5 12h14',
  rules: 'M4 6h9M17 6h3M15 4v4M4 12h3M11 12h9M9 10v4M4 18h11M19 18h1M17 16v4',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5',
  star: 'M12 4l2.500 5.300 5.500.7-4 4 1 5.800-5-2.900-5 2.900 1-5.800-4-4 5.500-.7z',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  usage: 'M4 20V10M10 20V4M16 20v-8M21 20H3',
  views: 'M3 5h18l-7 8.500V19l-4 2v-7.500z',
  warning: 'M12 4l9.500 16h-19zM12 10v4M12 17v.01',
  webhook: 'M9 8a3 3 0 1 1 4.500 2.600L16 15M12 8l-3 6M6 12a4 4 0 1 0 4 5h6M16 15a3 3 0 1 1-1 5.500',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
