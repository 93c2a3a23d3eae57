import type { World } from '../world/world.ts';
import type { Address } from './mail-source.ts';

const ACTS = [
  'an agent sends',
  'an agent asks',
  'a person sends',
  'a person edits',
  'a person discards',
  'a person trashes',
] as const;
const BY_PROGRAM = 'a mail program edits';
export type Act = (typeof ACTS)[number] | typeof BY_PROGRAM;

/** `not sent`: nothing was sent by then, and nothing is by this call. `left`: the caller asks no more. */
export type Said =
  | 'sent'
  | 'not sent'
  | 'edited'
  | 'saved'
  | 'kept apart'
  | 'discarded'
  | 'trashed'
  | 'approved'
  | 'refused'
  | 'declined'
  | 'left';

/** The deed of somebody with a draft: one call until it is answered, and the answer. */
export interface Deed {
  act: Act | 'a person approves' | 'a person refuses';
  draftId: string;
  askedAt: number;
  said?: Said;
  saidAt?: number;
  /** The draft that an edit has made. */
  newDraftId?: string;
  /** The subject that a person saw when they decided. */
  seen?: string;
}

/** A draft that several people and agents work on at once. */
export interface Draft {
  name: string;
  workspaceId: string;
  /** A rule has prepared it, and it leaves by itself. */
  isReply: boolean;
  delayMinutes: number;
  acts: readonly { act: Act; afterMs: number }[];
  /** The draft, and behind it those that edits have put in its place. */
  draftIds: string[];
  /** The number of versions that were written. */
  versions: number;
  deeds: Deed[];
  isDone: boolean;
}

const AT_ONCE_MS = 1_500;
const LONGEST_PAUSE_MS = 12_000;
const A_MINUTE_MS = { least: 57_000, most: 70_000 };
const MOST_ACTS = 4;
const SHARE_OF_REPLIES = 0.4;
/** A person does not wait until the reply leaves. */
const SHARE_OF_SENT_REPLIES = 0.4;
const SHARE_OF_LATER = 0.5;
const SHARE_OF_PROGRAMS = 0.4;
/** They come when workers take up what calls have left. */
const SHARE_OF_LATE_ACTS = 0.15;

/** At a provider, some are edited by mail programs, too. */
export function drawDrafts(
  { chance }: World,
  { workspaceId, isAtProvider }: Address & { isAtProvider: boolean },
  count: number,
): Draft[] {
  return Array.from({ length: count }, (_, n) => {
    const isReply = chance.happens(SHARE_OF_REPLIES);
    const longest = chance.pick([AT_ONCE_MS, LONGEST_PAUSE_MS]);
    const acts = Array.from({ length: chance.between(2, MOST_ACTS) }, (): { act: Act; afterMs: number } => {
      const isLate = chance.happens(SHARE_OF_LATE_ACTS);
      const afterMs = isLate ? chance.between(A_MINUTE_MS.least, A_MINUTE_MS.most) : chance.below(longest);
      const isByProgram = isAtProvider && chance.happens(SHARE_OF_PROGRAMS);
      const isSent = isReply && !isLate && chance.happens(SHARE_OF_SENT_REPLIES);
      return { act: isByProgram ? BY_PROGRAM : isSent ? 'a person sends' : chance.pick(ACTS), afterMs };
    });
    const delayMinutes = chance.happens(SHARE_OF_LATER) ? 1 : 0;
    const name = `draft-${n}-of-${workspaceId.replace('wsp_', '')}`;
    return { name, workspaceId, isReply, delayMinutes, acts, draftIds: [], versions: 0, deeds: [], isDone: false };
  });
}

/** One version says it in its recipient, its subject and its text. */
export const nameOfVersion = ({ name }: Draft, version: number): string => `${name}-v${version}`;

/** Of one message it is one. */
export function versionsIn({ name }: Draft, text: string): string[] {
  return [...new Set(text.match(new RegExp(`${name}-v\\d+`, 'g')))];
}
