import type { QueryFilter } from 'mongoose';
import type { SendDocument } from '@postroom/mail-store/documents/send';

/** The kinds of trouble by which operators list sends. */
export const TROUBLES = {
  unknown: { state: 'unknown' },
  unstored: { state: 'accepted', lastError: { $ne: null } },
  refused: { 'refused.0': { $exists: true } },
  failed: { state: 'failed' },
} as const satisfies Record<string, QueryFilter<SendDocument>>;

export type Trouble = keyof typeof TROUBLES;

export function isTrouble(name: string): name is Trouble {
  return Object.hasOwn(TROUBLES, name);
}
