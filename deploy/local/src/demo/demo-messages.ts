import type { FolderType } from '@postroom/contract/lists';
import { demoLetters, type DemoOptions } from './demo-letters.ts';
import type { Topic } from './letter.ts';
import { toRaw } from './mime.ts';

export interface DemoMessage {
  /** Which of the demo's mailboxes it is in. */
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

/** The demo's mail as its source would hand it over: raw messages with what the source knows. */
export function* demoMessages(options: DemoOptions): Generator<DemoMessage> {
  for (const letter of demoLetters(options)) {
    const { mailbox, folderType, topic, sourceKey, isRead, isStarred, date } = letter;
    const receivedAt = date.toISOString();
    // Old mail is history: nobody is told that it has just arrived.
    yield { mailbox, folderType, topic, raw: toRaw(letter), sourceKey, isRead, isStarred, receivedAt, isHistory: true };
  }
}
