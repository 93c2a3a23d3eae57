import type { MailItemAnswer, PersonInMail } from '@postroom/app/answers';

export const FOLDER_NAMES = {
  INBOX: 'Inbox',
  SENT: 'Sent',
  DRAFTS: 'Drafts',
  SPAM: 'Spam',
  TRASH: 'Trash',
} as const;

export const subjectOf = ({ subject }: Pick<MailItemAnswer, 'subject'>): string => subject.trim() || '(no subject)';

const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Characters that turn text around would show `exe.pdf` for `fdp.exe`, and the address behind a name backwards. */
export const inWrittenOrder = (text: string): string => text.replace(DIRECTIONS, '').trim();

const ownName = ({ name }: PersonInMail): string => inWrittenOrder(name ?? '');

export const nameOf = (person: PersonInMail): string => ownName(person) || person.email || '(unknown sender)';

/** The other side: the sender, or the recipients of what was sent from here. */
export function peopleOf({ from, to }: Pick<MailItemAnswer, 'from' | 'to'>, isOutgoing: boolean): string {
  if (!isOutgoing || to.length === 0) return nameOf(from);
  return `To: ${to.map(nameOf).join(', ')}`;
}

/** A sender may choose any name, so the address stands beside it. */
export function withAddress(person: PersonInMail): string {
  const name = ownName(person);
  return name === '' ? person.email : `${name} <${person.email}>`;
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const;

export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1_000 && unit < UNITS.length - 1; unit += 1) size /= 1_000;
  return `${unit > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit] ?? 'GB'}`;
}
