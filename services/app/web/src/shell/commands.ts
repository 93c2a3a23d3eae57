import type { Feature } from '@postroom/contract/lists';
import { isAtLeast, type Role } from '@postroom/contract/roles';
import type { IconName } from '../parts/icon.tsx';
import { pagesFor } from './pages.ts';
import { signOut } from './sign-out.ts';

export interface PaletteEntry {
  /** It tells two of one name apart. */
  id?: string;
  name: string;
  icon: IconName;
  hint?: string;
  run(go: (path: string) => void): void;
}

/** Each can be begun from anywhere, by people of its role. */
const BEGINNINGS: readonly { name: string; icon: IconName; path: string; role: Role; feature?: Feature }[] = [
  { name: 'Connect mailbox', icon: 'mailbox', path: '/mailboxes?dialog=connect', role: 'admin' },
  { name: 'Create key', icon: 'key', path: '/keys?dialog=create', role: 'admin' },
  { name: 'Create view', icon: 'views', path: '/views/new', role: 'admin' },
  { name: 'Create rule', icon: 'rules', path: '/rules?dialog=rule', role: 'admin' },
  { name: 'Create forward', icon: 'rules', path: '/rules?dialog=forward', role: 'admin' },
  { name: 'Create filter', icon: 'rules', path: '/rules?dialog=filter', role: 'admin' },
  { name: 'Classify existing emails', icon: 'rules', path: '/rules?dialog=backfill', role: 'admin' },
  { name: 'Create webhook', icon: 'webhook', path: '/webhooks?dialog=create', role: 'admin', feature: 'webhooks' },
  { name: 'Invite', icon: 'people', path: '/people?dialog=invite', role: 'admin' },
  { name: 'Change password', icon: 'people', path: '/people?dialog=password', role: 'member' },
];

export function commandsFor(role: Role, features: readonly Feature[], openHelp: () => void): PaletteEntry[] {
  return [
    ...pagesFor(role, features).map(({ name, icon, key, path }) => ({
      name,
      icon,
      hint: `g ${key}`,
      run: (go: (path: string) => void) => go(path),
    })),
    ...BEGINNINGS.filter(
      (beginning) => isAtLeast(role, beginning.role) && (!beginning.feature || features.includes(beginning.feature)),
    ).map(({ name, icon, path }) => ({ name, icon, run: (go: (path: string) => void) => go(path) })),
    { name: 'Keyboard shortcuts', icon: 'keyboard', hint: '?', run: openHelp },
    { name: 'Sign out', icon: 'leave', run: () => void signOut() },
  ];
}
