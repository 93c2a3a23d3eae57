import { bounds } from '@postroom/contract/bounds';
import { cut } from '@postroom/mime/cut';
import type { AddressPart, AttachmentPart, EmailDocument } from './documents/email.ts';

type Lists = Pick<EmailDocument, 'references' | 'to' | 'cc' | 'attachments'> & Partial<Pick<EmailDocument, 'bcc'>>;
type Bounded = Lists & Pick<EmailDocument, 'from'>;

const { listItem, emailBytes, providerLabels } = bounds;
/** For ids, dates, flags and the names of all fields. */
const RESERVE = 1_536;
/** So few entries, each within its own bound, stay far below the bound of an email. */
const FEW = 20;
const NAMES = ['references', 'to', 'cc', 'bcc', 'attachments'] as const satisfies (keyof Lists)[];

/** The part of an email that a list shows, bounded whatever its sender wrote. */
export function boundedItem<T extends Bounded>(email: T): T {
  return {
    ...email,
    references: ends(email.references, listItem.references),
    from: address(email.from),
    to: email.to.slice(0, listItem.recipients).map(address),
    cc: email.cc.slice(0, listItem.recipients).map(address),
    ...(email.bcc && { bcc: email.bcc.slice(0, listItem.recipients).map(address) }),
    attachments: email.attachments.slice(0, listItem.attachments).map(attachment),
  };
}

/** Lists cut once more, where all that is in them together is too much for an item. */
export const fittedItem = <T extends Lists>(email: T): T => fitted(email, listItem.bytes - RESERVE);

/** The bounded parts of a stored email, without the provider's labels, which change later. */
export function fittedEmail<T extends Lists>(email: T): T {
  const entries = NAMES.reduce((sum, name) => sum + (email[name]?.length ?? 0), 0);
  return entries <= FEW ? email : fitted(email, emailBytes - RESERVE - providerLabels.bytes);
}

/** The first of a provider's labels; longer ones are cut. */
export function boundedLabels(labels: readonly string[]): string[] {
  const short = labels.slice(0, providerLabels.count).map((label) => cut(label, providerLabels.length));
  return within(short.map(sizeOf), providerLabels.bytes).map((index) => short[index] as string);
}

/** A short list stays whole; the long ones share evenly what is left. */
function fitted<T extends Lists>(email: T, bytes: number): T {
  if (sizeOf(email) <= bytes) return email;
  const lists = NAMES.flatMap((name) => {
    const list: readonly unknown[] | undefined = email[name];
    return list ? [{ name, list, sizes: list.map(sizeOf) }] : [];
  }).sort((a, b) => total(a.sizes) - total(b.sizes));
  const empty = Object.fromEntries(lists.map(({ name }) => [name, []]));
  let bytesLeft = bytes - sizeOf({ ...email, ...empty });
  const kept: Record<string, unknown[]> = {};
  for (const [position, { name, list, sizes }] of lists.entries()) {
    const share = Math.max(0, Math.floor(bytesLeft / (lists.length - position)));
    // The first and the last references matter most. Of other lists the first entries do.
    const chosen = name === 'references' ? withinFromEnds(sizes, share) : within(sizes, share);
    kept[name] = chosen.map((index) => list[index]);
    bytesLeft -= chosen.reduce((sum, index) => sum + (sizes[index] as number), 0);
  }
  return { ...email, ...kept };
}

function within(sizes: readonly number[], bytesLeft: number): number[] {
  let left = bytesLeft;
  const end = sizes.findIndex((size) => (left -= size) < 0);
  return [...sizes.keys()].slice(0, end === -1 ? sizes.length : end);
}

function withinFromEnds(sizes: readonly number[], bytesLeft: number): number[] {
  const [first = 0, ...others] = sizes;
  if (first > bytesLeft) return [];
  const last = within(others.toReversed(), bytesLeft - first).map((index) => sizes.length - 1 - index);
  return sizes.length === 0 ? [] : [0, ...last.toReversed()];
}

function ends(names: readonly string[], most: number): string[] {
  return names.length <= most ? [...names] : [...names.slice(0, 1), ...names.slice(1 - most)];
}

function address({ email, name }: AddressPart): AddressPart {
  return { email: cut(email, listItem.addressLength), name: name === null ? null : cut(name, listItem.addressLength) };
}

function attachment({ filename, size, mimeType }: AttachmentPart): AttachmentPart {
  return { filename: cut(filename, listItem.addressLength), size, mimeType: cut(mimeType, listItem.mediaTypeLength) };
}

const total = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);
/** With the comma behind it. */
const sizeOf = (part: unknown) => Buffer.byteLength(JSON.stringify(part)) + 1;
