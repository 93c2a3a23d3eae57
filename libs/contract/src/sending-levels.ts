/** The rights of agents, from the least to the most. `drafts` prepares mail and sends none. */
export const SENDING_LEVELS = ['read', 'drafts', 'approve', 'reply', 'send'] as const;
export type SendingLevel = (typeof SENDING_LEVELS)[number];

export function lowerLevel(one: SendingLevel, other: SendingLevel): SendingLevel {
  return SENDING_LEVELS.indexOf(one) < SENDING_LEVELS.indexOf(other) ? one : other;
}

const SENDING: ReadonlySet<string> = new Set<SendingLevel>(['approve', 'reply', 'send']);

/** Whether drafts leave at this level: at once, to participants alone, or when a person agrees. */
export function sendsDrafts(level: string): boolean {
  return SENDING.has(level);
}
