import type { FolderType } from '@postroom/contract/lists';
import { demoLetters, type DemoOptions } from './demo-letters.ts';
import type { Topic } from './letter.ts';
import { toRaw } from './mime.ts';

export interface DemoMessage {
  /** The index of its mailbox in DEMO_MAILBOXES. */
  mailbox: number;
  folderType: FolderType;
  topic: Topic;
  raw: Buffer;
  sourceKey: string;
  isRead: boolean;
  isStarred: boolean;
  receivedAt: string;
  isHistory: boolean;
}

/** The demo mail as a source hands it over: raw messages with their folder, flags and dates. */
export function* demoMessages(options: DemoOptions): Generator<DemoMessage> {
  for (const letter of demoLetters(options)) {
    const { mailbox, folderType, topic, sourceKey, isRead, isStarred, date } = letter;
    const receivedAt = date.toISOString();
    // Old mail is history, so no event says that it has just arrived.
    yield { mailbox, folderType, topic, raw: toRaw(letter), sourceKey, isRead, isStarred, receivedAt, isHistory: true };
  }
}
