/** A message as its thread knows it. Only what it answers counts, never the subject. */
export interface ThreadNode {
  /** Its Message-ID; of mail in Spam a name that nothing can refer to. */
  messageId: string;
  /** The ids that it answers, the nearest first, up to one that was stored when it came. Older nodes lack it. */
  answers?: readonly string[];
  threadId: string;
}

const SPAM = 'spam:';
/** The first reference names the conversation, the last ones its newest branch. */
const MOST_NAMES = 100;

interface Naming {
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
}

/** Two mails of one Message-ID share a node; mail in Spam has one to itself, so that it joins and ties nothing. */
export function nodeName(messageId: string, emailId: string, isSpam: boolean): string {
  return isSpam ? SPAM + emailId : messageId;
}

/** The ids that a message answers, the nearest first: In-Reply-To, then the references from the last. */
export function answersOf({ messageId, inReplyTo, references }: Naming, isSpam: boolean): string[] {
  const named = [...new Set([inReplyTo ?? '', ...references.toReversed()])];
  const others = named.filter((name) => name !== '' && name !== messageId);
  const nearest = others.length <= MOST_NAMES ? others : [...others.slice(0, MOST_NAMES - 1), others.at(-1) as string];
  // Spam without a known parent is in a thread with its answers.
  return isSpam ? [...nearest, messageId] : nearest;
}

/** The ids up to the first known one. No later message can be nearer. */
export function upToKnown(answers: readonly string[], isKnown: (name: string) => boolean): readonly string[] {
  const first = answers.findIndex(isKnown);
  return first === -1 ? answers : answers.slice(0, first + 1);
}

/**
 * The parent of a message: its nearest stored ancestor. While there is none, the nearest id that it names, so that two
 * answers to an unknown message are in one thread. Null when it answers nothing.
 */
export function tieOf({ messageId, answers = [] }: ThreadNode, isKnown: (name: string) => boolean): string | null {
  const known = answers.find(isKnown);
  return known ?? (emailIdOfSpam(messageId) ? answers.at(-1) : answers[0]) ?? null;
}

/** The email of this node, if it is one of mail in Spam. */
export function emailIdOfSpam(name: string): string | undefined {
  return name.startsWith(SPAM) ? name.slice(SPAM.length) : undefined;
}
