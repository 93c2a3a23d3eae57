import type { OpenedFolder } from '../imap/imap-connection.ts';
import type { FolderState, Session } from '../session/session.ts';

/** After so many comparisons that found what its own count of changes had kept quiet, a folder is compared instead. */
const SURPRISES = 2;

/** Whether the provider's own count of the folder's changes is to be believed. */
export function isCounted({ sync }: FolderState, { highestModseq }: Pick<OpenedFolder, 'highestModseq'>): boolean {
  return highestModseq !== null && sync !== null && sync.highestModseq !== '0' && sync.surprises < SURPRISES;
}

/** From where the provider is asked for what has gone since; undefined where it is not to be asked. */
export function sinceOf({ connection }: Session, { sync }: FolderState) {
  if (!sync || sync.highestModseq === '0' || sync.surprises >= SURPRISES || !connection.has('QRESYNC'))
    return undefined;
  return { modseq: BigInt(sync.highestModseq), uidValidity: sync.uidValidity };
}
