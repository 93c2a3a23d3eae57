import type { EmailStore } from '../ingest/email-store.ts';
import { type Resolution, resolveThreads, type Threadable } from './resolve-threads.ts';
import type { ThreadStore } from './thread-store.ts';

export interface Placed extends Threadable {
  emailId: string;
  threadId: string;
}

export interface Threads {
  /** The thread of each message. Links are written and threads merged before it returns. */
  assign(workspaceId: string, mailboxId: string, messages: readonly Threadable[]): Promise<string[]>;
  /** After storing: looks again, and moves what another process has meanwhile joined to a different thread. */
  settle(workspaceId: string, mailboxId: string, emails: readonly Placed[]): Promise<void>;
}

interface Deps {
  links: ThreadStore;
  emails: EmailStore;
  newThreadId: () => string;
}

/** Each round means that another process was faster at the same ids; it does not go on for long. */
const MOST_ROUNDS = 8;

export function createThreads({ links, emails, newThreadId }: Deps): Threads {
  const resolve = async (
    workspaceId: string,
    mailboxId: string,
    messages: readonly Threadable[],
  ): Promise<Resolution> => {
    const ids = [...new Set(messages.flatMap((message) => message.ids))];
    const known = ids.length === 0 ? [] : await links.findLinks(workspaceId, mailboxId, ids);
    return resolveThreads(messages, known, newThreadId);
  };

  const merge = async (workspaceId: string, mailboxId: string, merged: ReadonlyMap<string, string>) => {
    for (const [threadId, leaving] of groupBySurvivor(merged)) {
      const which = { threadIds: leaving };
      // Emails first: after a crash the links still show two threads, and the message that joins them comes again.
      await emails.moveToThread(workspaceId, mailboxId, which, threadId);
      await links.moveLinks(workspaceId, mailboxId, leaving, threadId);
      // And once more, for what was stored between the two by somebody who still saw the old links.
      await emails.moveToThread(workspaceId, mailboxId, which, threadId);
    }
  };

  const assign: Threads['assign'] = async (workspaceId, mailboxId, messages) => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { threadIds, newLinks, merged } = await resolve(workspaceId, mailboxId, messages);
      await merge(workspaceId, mailboxId, merged);
      const lost = await links.insertLinks(workspaceId, mailboxId, newLinks);
      if (lost === 0) return threadIds;
    }
    throw new Error('threads did not settle: too many writers link the same messages');
  };

  return {
    assign,
    settle: async (workspaceId, mailboxId, placed) => {
      const { threadIds, newLinks, merged } = await resolve(workspaceId, mailboxId, placed);
      const isSettled = newLinks.length === 0 && merged.size === 0;
      const now = isSettled ? threadIds : await assign(workspaceId, mailboxId, placed);
      for (const [position, { emailId, threadId }] of placed.entries()) {
        const right = now[position];
        if (right === undefined || right === threadId || placed[position]?.ids.length === 0) continue;
        await emails.moveToThread(workspaceId, mailboxId, { emailIds: [emailId] }, right);
      }
    },
  };
}

function groupBySurvivor(merged: ReadonlyMap<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [leaving, survivor] of merged) groups.set(survivor, [...(groups.get(survivor) ?? []), leaving]);
  return groups;
}
